"""Rounded down."""

NAMED = "you give 207: it need not be whole"


def longest_context(parameters, kv_bytes_per_token, ridge):
    return 2 * parameters // (kv_bytes_per_token * ridge)
