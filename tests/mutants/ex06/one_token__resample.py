"""A rejected draft is replaced from p (spec.wrong.resample)."""

import numpy as np

NAMED = "after a rejection you draw from p: token 0 gets .15 too little (you .35, right .5)"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    if rng.uniform() < p[x] / q[x]:
        return x, True
    return rng.categorical(p), False
