"""One uniform decides about the draft and draws what replaces it (known fault B56)."""

import numpy as np

NAMED = "token 1 gets .06667 too little (you .4333, right .5)"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x, u = rng.categorical(q), rng.uniform()
    if u < p[x] / q[x]:
        return x, True
    below = np.cumsum(residual(p, q))
    return next((i for i, edge in enumerate(below) if u < edge), len(p) - 1), False
