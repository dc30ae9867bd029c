"""The likeliest token of the residual."""

import numpy as np

NAMED = "you take the likeliest token of the residual"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    if rng.uniform() < p[x] / q[x]:
        return x, True
    return int(np.argmax(residual(p, q))), False
