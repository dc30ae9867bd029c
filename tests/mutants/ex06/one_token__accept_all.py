"""No test at all (spec.wrong.acceptall)."""

import numpy as np

NAMED = "you keep every draft: token 0 gets .3 too little"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    return rng.categorical(q), True
