"""The absolute difference."""

import numpy as np

NAMED = "that is |p - q|"


def residual(p, q):
    excess = np.abs(p - q)
    return excess / excess.sum() if excess.sum() > 0 else p
