"""The row that was drawn from."""

import numpy as np

NAMED = "as if every draft were kept"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def law_if_recorded(p, drawn, recorded):
    return drawn.copy()
