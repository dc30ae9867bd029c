"""Nothing to feed, so no probabilities."""

NAMED = "for held = [5, 7] and wanted = [5, 7] you give (2, []): where nothing is fed"


def to_feed(held, wanted):
    common = 0
    while common < min(len(held), len(wanted)) and held[common] == wanted[common]:
        common += 1
    return common, wanted[common:]
