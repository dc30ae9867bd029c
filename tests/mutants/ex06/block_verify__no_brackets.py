"""Rounding makes the denominator smaller than S."""

import numpy as np

NAMED = "a = 1.0000000000000002 is not a probability: that is rounding, mind the brackets"


def block_verify(p, q, tokens, *, rng):
    a = [1.0]
    for i, x in enumerate(tokens):
        a.append(min(1.0, a[-1] * p[i][x] / q[i][x]))
    if rng.bernoulli(a[-1]):
        return len(tokens), rng.categorical(p[-1])
    for i in reversed(range(len(tokens))):
        left = np.maximum(a[i] * p[i] - q[i], 0)
        total = left.sum()
        if i == 0 or rng.bernoulli(total / (total + 1 - a[i]) if total else 0):
            return i, rng.categorical(left / total)
