"""Tokens that stand anywhere."""

NAMED = "not to a token anywhere"


def to_feed(held, wanted):
    kept = min(sum(token in held for token in wanted), len(wanted) - 1)
    return kept, wanted[kept:]
