"""As if the factor stood on the probability."""

import math

NAMED = "a factor on a log-score is no factor"


def gap_in_nats(factor, best):
    return math.log(factor)
