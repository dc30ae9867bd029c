"""Kept only where p >= q, then the residual."""

import numpy as np

NAMED = "you keep a draft only where p >= q: token 0 gets"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    if p[x] >= q[x]:
        return x, True
    return rng.categorical(residual(p, q)), False
