"""Not divided by its sum."""

import numpy as np

NAMED = "it is not divided by its sum"


def residual(p, q):
    return np.maximum(p - q, 0) if (p > q).any() else p
