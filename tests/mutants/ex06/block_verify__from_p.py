"""The next token comes from p."""

import numpy as np

NAMED = "you draw the next token from p, it is (a p - q)+"


def block_verify(p, q, tokens, *, rng):
    a = [1.0]
    for i, x in enumerate(tokens):
        a.append(min(1, a[-1] * p[i][x] / q[i][x]))
    for i in reversed(range(len(tokens) + 1)):
        left = np.maximum(a[i] * p[i] - q[i], 0) if i < len(tokens) else p[-1]
        total = left.sum()
        h = (total / (total + (1 - a[i])) if total > 0 else 0) if i < len(tokens) else a[-1]
        if i == 0 or rng.uniform() < h:
            return i, rng.categorical(p[i])
