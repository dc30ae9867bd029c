"""Weights too large."""

NAMED = "if the weights do not fit it is 0"


def texts_that_fit(model, memory_gb, tokens):
    free = memory_gb * 1e9 - 2 * model.parameters
    cache = tokens * 4 * model.layers * model.kv_heads * model.head_dim
    return int(free // cache)
