"""Four bytes a value."""

NAMED = "bfloat16 has 2"


def cache_sizes(model, tokens):
    per_token = 8 * model.layers * model.kv_heads * model.head_dim
    return per_token, tokens * per_token / 1e9, tokens * per_token / 2**30
