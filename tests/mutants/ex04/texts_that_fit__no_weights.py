"""The weights take no room."""

NAMED = "the weights take room too"


def texts_that_fit(model, memory_gb, tokens):
    free = memory_gb * 1e9
    cache = tokens * 4 * model.layers * model.kv_heads * model.head_dim
    return max(0, int(free // cache))
