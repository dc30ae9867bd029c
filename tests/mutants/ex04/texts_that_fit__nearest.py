"""Rounded."""

NAMED = "round down, not to the nearest"


def texts_that_fit(model, memory_gb, tokens):
    free = memory_gb * 1e9 - 2 * model.parameters
    cache = tokens * 4 * model.layers * model.kv_heads * model.head_dim
    return max(0, round(free / cache))
