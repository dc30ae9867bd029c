"""None where there is no batch."""

NAMED = "must be a number"


def balance_batch(parameters, weight_bytes, ridge, cache_bytes):
    left = 2 * parameters - ridge * cache_bytes
    if left > 0:
        return ridge * parameters * weight_bytes / left
