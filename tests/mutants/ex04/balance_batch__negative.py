"""A batch below 0."""

NAMED = "no batch is negative"


def balance_batch(parameters, weight_bytes, ridge, cache_bytes):
    return ridge * parameters * weight_bytes / (2 * parameters - ridge * cache_bytes)
