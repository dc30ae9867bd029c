"""In place."""

import numpy as np

NAMED = "writes into its argument"


def residual(p, q):
    before = p.copy()
    np.maximum(p - q, 0, out=p)
    p /= p.sum()
    return p if p.sum() > 0 else before
