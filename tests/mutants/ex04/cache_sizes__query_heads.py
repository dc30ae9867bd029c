"""Query heads (known fault B108)."""

NAMED = "for Llama-3-8B and 8192 tokens, bytes_per_token: you give 5.243e+05: that counts the query heads"


def cache_sizes(model, tokens):
    per_token = 4 * model.layers * model.heads * model.head_dim
    return per_token, tokens * per_token / 1e9, tokens * per_token / 2**30
