"""p and q swapped throughout (spec.naming)."""

import numpy as np

NAMED = "p and q are swapped, in the residual at least: token 0 gets .3 too little (you .2, right .5)"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x = rng.categorical(p)
    if rng.uniform() < q[x] / p[x]:
        return x, True
    return rng.categorical(residual(q, p)), False
