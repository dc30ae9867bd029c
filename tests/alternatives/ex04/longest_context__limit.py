"""A huge batch, and bisection on the context."""


def longest_context(parameters, kv_bytes_per_token, ridge):
    batch, low, high = 1e12, 0.0, 1e9
    for _ in range(200):
        middle = (low + high) / 2
        read = 2 * parameters + batch * middle * kv_bytes_per_token
        low, high = (middle, high) if 2 * parameters * batch > ridge * read else (low, middle)
    return low
