"""The token without a word about the draft."""

import numpy as np

NAMED = "return (token, kept)"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    return x if rng.uniform() < p[x] / q[x] else rng.categorical(residual(p, q))
