"""One row is always read again."""

NAMED = "you read again one row that is right already"


def to_feed(held, wanted):
    common = 0
    while common < min(len(held), len(wanted)) and held[common] == wanted[common]:
        common += 1
    kept = max(0, common - 1)
    return kept, wanted[kept:]
