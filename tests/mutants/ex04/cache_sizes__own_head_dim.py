"""head_dim taken to be width / heads."""

NAMED = "for Qwen3-32B and 40960 tokens, bytes_per_token: you give 1.638e+05: head_dim is a size of its own"


def cache_sizes(model, tokens):
    per_token = 4 * model.layers * model.kv_heads * model.width // model.heads
    return per_token, tokens * per_token / 1e9, tokens * per_token / 2**30
