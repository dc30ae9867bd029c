"""The ratio."""

import math

NAMED = "that is the ratio of the probabilities"


def gap_in_nats(factor, best):
    return math.exp(factor * best - best)
