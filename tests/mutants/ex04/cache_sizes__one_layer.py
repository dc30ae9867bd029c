"""One layer."""

NAMED = "that is one layer"


def cache_sizes(model, tokens):
    per_token = 4 * model.kv_heads * model.head_dim
    return per_token, tokens * per_token / 1e9, tokens * per_token / 2**30
