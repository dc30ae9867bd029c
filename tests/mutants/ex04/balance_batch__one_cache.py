"""One cache for the whole batch."""

NAMED = "one cache is read for each text"


def balance_batch(parameters, weight_bytes, ridge, cache_bytes):
    return ridge * (parameters * weight_bytes + cache_bytes) / (2 * parameters)
