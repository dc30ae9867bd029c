"""The sign."""

NAMED = "the sign is wrong"


def gap_in_nats(factor, best):
    return factor * best - best
