"""The ridge turned over."""

NAMED = "multiply the bytes of the cache by the ridge"


def longest_context(parameters, kv_bytes_per_token, ridge):
    return 2 * parameters / kv_bytes_per_token * ridge
