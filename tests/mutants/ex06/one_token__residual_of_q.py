"""The residual upside down."""

import numpy as np

NAMED = "p and q are swapped, in the residual at least: token 0 gets"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    if rng.uniform() < p[x] / q[x]:
        return x, True
    return rng.categorical(residual(q, p)), False
