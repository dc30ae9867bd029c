"""Nothing where nothing is left."""

import numpy as np

NAMED = "you give (0, 0, 0): nothing is left, return p"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / max(excess.sum(), 1e-300)
