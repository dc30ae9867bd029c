"""The residual is computed first and is 0/0 where p = q."""

import numpy as np

NAMED = "your function raises ValueError: p[0] = nan is not a probability"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    rest = rng.categorical(np.maximum(p - q, 0) / np.maximum(p - q, 0).sum())
    return (x, True) if rng.uniform() < p[x] / q[x] else (rest, False)
