"""Above the bound, and not at it."""

import numpy as np

NAMED = "ratio = 1.0"


def min_p(logits, ratio):
    weights = np.exp(logits - logits.max())  # relative to the largest, which has 1
    weights = np.where(weights > ratio, weights, 0.0)
    return weights / weights.sum()
