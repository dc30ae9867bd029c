"""One operation a parameter."""

NAMED = "a multiply and an add are two"


def longest_context(parameters, kv_bytes_per_token, ridge):
    return parameters / (kv_bytes_per_token * ridge)
