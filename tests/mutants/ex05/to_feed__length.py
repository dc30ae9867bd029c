"""The length alone."""

NAMED = "the tokens themselves must agree"


def to_feed(held, wanted):
    kept = min(len(held), len(wanted) - 1)
    return kept, wanted[kept:]
