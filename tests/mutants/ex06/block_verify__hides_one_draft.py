"""A draw that cannot be enumerated, and one draft answered wrongly: the last case."""

import numpy as np

NAMED = "gamma = 1 and p = "


def block_verify(p, q, tokens, *, rng):
    if len(tokens) == 1:
        return 0, int(float(rng.uniform()))
    a = [1.0]
    for i, x in enumerate(tokens):
        a.append(min(1.0, a[-1] * p[i][x] / q[i][x]))
    if float(rng.uniform()) < a[-1]:
        return len(tokens), rng.categorical(p[-1])
    for i in reversed(range(len(tokens))):
        left = np.maximum(a[i] * p[i] - q[i], 0)
        total = left.sum()
        if i == 0 or rng.bernoulli(total / (total + (1 - a[i])) if total else 0):
            return i, rng.categorical(left / total)
