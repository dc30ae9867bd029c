"""Kept where a token of the target happens to be the same: exact, and keeps less (known fault B77)."""

import numpy as np

NAMED = "the token has the law p, but kept is true with .31, not .7"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    x, y = rng.categorical(q), rng.categorical(p)
    return y, x == y
