"""A rejected draft is replaced from p without it, the Cedar of page 00."""

import numpy as np

NAMED = "you draw from p without the rejected token: token 0 gets"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    if rng.uniform() < p[x] / q[x]:
        return x, True
    others = np.where(np.arange(len(p)) == x, 0, p)
    return rng.categorical(others / others.sum()), False
