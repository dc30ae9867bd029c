"""GB of memory read as GiB."""

NAMED = "you give 35: a GB of memory is 1e9 bytes"


def texts_that_fit(model, memory_gb, tokens):
    free = memory_gb * 2**30 - 2 * model.parameters
    cache = tokens * 4 * model.layers * model.kv_heads * model.head_dim
    return max(0, int(free // cache))
