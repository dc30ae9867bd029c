"""0/0 where p = q (known fault B52)."""

import numpy as np

NAMED = "the answer: entry 0 is NaN"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum()
