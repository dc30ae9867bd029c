"""Where nothing is left the row is q."""

import numpy as np

NAMED = "for p = (.5, .5, 0), q = (.5, .5, 2^-54) you give token 2 5.551e-17, p gives it nothing"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else q
