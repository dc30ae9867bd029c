"""The tokens alone."""

NAMED = "return (kept, tokens), a number and a list"


def to_feed(held, wanted):
    common = 0
    while common < min(len(held), len(wanted)) and held[common] == wanted[common]:
        common += 1
    return wanted[min(common, len(wanted) - 1) :]
