"""Draws from p and says that it was the draft."""

import numpy as np

NAMED = "kept is always true: the token has the law p, but kept is true with 1, not .7"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    return rng.categorical(p), True
