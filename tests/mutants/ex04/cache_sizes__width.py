"""The hidden size (known fault B108)."""

NAMED = "that takes the width"


def cache_sizes(model, tokens):
    per_token = 4 * model.layers * model.width
    return per_token, tokens * per_token / 1e9, tokens * per_token / 2**30
