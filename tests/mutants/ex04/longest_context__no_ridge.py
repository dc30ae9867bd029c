"""The ridge forgotten."""

NAMED = "as large as the weights"


def longest_context(parameters, kv_bytes_per_token, ridge):
    return 2 * parameters / kv_bytes_per_token
