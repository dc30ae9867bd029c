"""The bytes of a weight turned over."""

import math

NAMED = "divides where it should multiply"


def balance_batch(parameters, weight_bytes, ridge, cache_bytes):
    left = 2 * parameters - ridge * cache_bytes
    return ridge * parameters * 2 / weight_bytes / left if left > 0 else math.inf
