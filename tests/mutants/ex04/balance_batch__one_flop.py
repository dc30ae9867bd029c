"""One operation a parameter."""

import math

NAMED = "a multiply and an add are two"


def balance_batch(parameters, weight_bytes, ridge, cache_bytes):
    left = parameters - ridge * cache_bytes
    return ridge * parameters * weight_bytes / left if left > 0 else math.inf
