"""Equal tokens after a difference count."""

NAMED = "nothing counts after the first difference"


def to_feed(held, wanted):
    same = sum(a == b for a, b in zip(held, wanted, strict=False))
    kept = min(same, len(wanted) - 1)
    return kept, wanted[kept:]
