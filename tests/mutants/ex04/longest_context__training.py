"""6N instead of 2N (known fault B112)."""

NAMED = "those of training"


def longest_context(parameters, kv_bytes_per_token, ridge):
    return 6 * parameters / (kv_bytes_per_token * ridge)
