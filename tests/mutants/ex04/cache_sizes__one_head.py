"""Heads forgotten."""

NAMED = "that is a single head"


def cache_sizes(model, tokens):
    per_token = 4 * model.layers * model.head_dim
    return per_token, tokens * per_token / 1e9, tokens * per_token / 2**30
