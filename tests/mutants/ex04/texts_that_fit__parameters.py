"""Parameters for bytes."""

NAMED = "the weights take 2 bytes each"


def texts_that_fit(model, memory_gb, tokens):
    free = memory_gb * 1e9 - model.parameters
    cache = tokens * 4 * model.layers * model.kv_heads * model.head_dim
    return max(0, int(free // cache))
