"""Values forgotten."""

NAMED = "there are keys and values"


def cache_sizes(model, tokens):
    per_token = 2 * model.layers * model.kv_heads * model.head_dim
    return per_token, tokens * per_token / 1e9, tokens * per_token / 2**30
