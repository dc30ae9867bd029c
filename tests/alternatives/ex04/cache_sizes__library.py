"""The library's function."""

from decodelab import roofline


def cache_sizes(model, tokens):
    per_token = roofline.bytes_kv_token(model)
    return per_token, per_token * tokens / 10**9, per_token * tokens / 1024**3
