"""GiB where GB are asked for."""

NAMED = "gigabytes: you give 1: those are GiB"


def cache_sizes(model, tokens):
    per_token = 4 * model.layers * model.kv_heads * model.head_dim
    return per_token, tokens * per_token / 2**30, tokens * per_token / 1e9
