"""The caches cost nothing."""

NAMED = "you give 153: the caches are read too"


def balance_batch(parameters, weight_bytes, ridge, cache_bytes):
    return ridge * weight_bytes / 2
