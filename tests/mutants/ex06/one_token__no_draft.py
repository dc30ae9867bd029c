"""Draws from p and forgets the draft."""

import numpy as np

NAMED = "the token has the law p, but kept is true with 0, not .7"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    return rng.categorical(p), False
