"""GB twice."""

NAMED = "gibibytes: you give 1.074: those are GB"


def cache_sizes(model, tokens):
    per_token = 4 * model.layers * model.kv_heads * model.head_dim
    return per_token, tokens * per_token / 1e9, tokens * per_token / 1e9
