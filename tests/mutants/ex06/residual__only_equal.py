"""p = q is caught, rounding is not (spec.code.residual)."""

import numpy as np

NAMED = "for p = (.5, .5 - 2^-54), q = (.5, .5) the answer: entry 0 is NaN"


def residual(p, q):
    if np.array_equal(p, q):
        return p
    excess = np.maximum(p - q, 0)
    return excess / excess.sum()
