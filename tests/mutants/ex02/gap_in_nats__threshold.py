"""The threshold itself."""

NAMED = "that is the threshold itself"


def gap_in_nats(factor, best):
    return factor * best
