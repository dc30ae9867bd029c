"""The ridge for any dtype (known fault B115)."""

NAMED = "you give 295.3: that is the ridge"


def balance_batch(parameters, weight_bytes, ridge, cache_bytes):
    return ridge
