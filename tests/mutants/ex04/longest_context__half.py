"""A factor of 1.5."""

NAMED = "you give 311.5, 103.8 too much"


def longest_context(parameters, kv_bytes_per_token, ridge):
    return 3 * parameters / (kv_bytes_per_token * ridge)
