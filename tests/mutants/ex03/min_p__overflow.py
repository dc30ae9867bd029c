"""exp of a logit of 1000."""

import numpy as np

NAMED = "is NaN"


def min_p(logits, ratio):
    weights = np.exp(logits)
    weights = weights / weights.max()
    weights = np.where(weights >= ratio, weights, 0.0)
    return weights / weights.sum()
