"""The product is cut at 1 when it is done."""

import numpy as np

NAMED = "you cut the product at the end, cut it in every step"


def block_verify(p, q, tokens, *, rng):
    a = [1.0]
    for i, x in enumerate(tokens):
        a.append(a[-1] * p[i][x] / q[i][x])
    a = [min(1.0, value) for value in a]
    if rng.uniform() < a[-1]:
        return len(tokens), rng.categorical(p[-1])
    for i in reversed(range(len(tokens))):
        left = np.maximum(a[i] * p[i] - q[i], 0)
        total = left.sum()
        if i == 0 or rng.uniform() < (total / (total + (1 - a[i])) if total > 0 else 0):
            return i, rng.categorical(left / total if total > 0 else p[i])
