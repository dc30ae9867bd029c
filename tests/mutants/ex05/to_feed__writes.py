"""Writes into what it is given."""

NAMED = "writes into its argument"


def to_feed(held, wanted):
    common = 0
    while common < min(len(held), len(wanted)) and held[common] == wanted[common]:
        common += 1
    kept = min(common, len(wanted) - 1)
    del wanted[:kept]
    return kept, wanted
