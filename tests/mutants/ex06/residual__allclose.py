"""Rows that are near are taken for equal."""

import numpy as np

NAMED = "for p = (.5 + 1e-7, .5 - 1e-7), q = (.5, .5) you give (.5, .5): p and q are near"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return p if np.allclose(p, q) else excess / excess.sum()
