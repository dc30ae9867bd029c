"""0/0 where the recorded row is 0."""

import numpy as np

NAMED = "is NaN"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def law_if_recorded(p, drawn, recorded):
    kept = drawn * np.minimum(1, p / recorded)
    return kept + (1 - kept.sum()) * residual(p, recorded)
