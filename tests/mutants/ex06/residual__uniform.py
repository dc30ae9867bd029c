"""A uniform row where nothing is left (known fault B52)."""

import numpy as np

NAMED = "return p and not a uniform row"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else np.full(len(p), 1 / len(p))
