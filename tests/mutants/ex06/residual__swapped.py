"""What q has and p lacks (spec.naming)."""

import numpy as np

NAMED = "that is (q - p)+"


def residual(p, q):
    excess = np.maximum(q - p, 0)
    return excess / excess.sum() if excess.sum() > 0 else p
