"""Token by token: exact, and keeps less."""

import numpy as np

NAMED = "you verify token by token: the text keeps its law, but a round gives 2.111 tokens, not 2.222"


def block_verify(p, q, tokens, *, rng):
    for i, x in enumerate(tokens):
        if not rng.uniform() < p[i][x] / q[i][x]:
            left = np.maximum(p[i] - q[i], 0)
            return i, rng.categorical(left / left.sum() if left.sum() > 0 else p[i])
    return len(tokens), rng.categorical(p[-1])
