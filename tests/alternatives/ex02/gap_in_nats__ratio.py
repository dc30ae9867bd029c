"""By way of the probabilities."""

import math


def gap_in_nats(factor, best):
    return math.log(math.exp(best) / math.exp(factor * best))
