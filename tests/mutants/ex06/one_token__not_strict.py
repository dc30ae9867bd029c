"""An impossible token at u = 0 (known fault B53)."""

import numpy as np

NAMED = "if every uniform is 0, you return 0, which has probability 0"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    if rng.uniform() <= p[x] / q[x]:
        return x, True
    return rng.categorical(residual(p, q)), False
