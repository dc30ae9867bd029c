"""S and the next row without a."""

import numpy as np

NAMED = "you leave a out, of S_i and of the next token's row"


def block_verify(p, q, tokens, *, rng):
    a = [1.0]
    for i, x in enumerate(tokens):
        a.append(min(1.0, a[-1] * p[i][x] / q[i][x]))
    if rng.uniform() < a[-1]:
        return len(tokens), rng.categorical(p[-1])
    for i in reversed(range(len(tokens))):
        left = np.maximum(p[i] - q[i], 0)
        total = left.sum()
        if i == 0 or rng.uniform() < (total / (total + (1 - a[i])) if total > 0 else 0):
            return i, rng.categorical(left / total if total > 0 else p[i])
