"""Not renormalised."""

import numpy as np

NAMED = "not divided by their mass"


def min_p(logits, ratio):
    p = np.exp(logits - logits.max())
    p = p / p.sum()
    return np.where(p >= ratio * p.max(), p, 0.0)
