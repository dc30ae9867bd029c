"""A negative temperature is taken."""

import numpy as np

NAMED = "for T = -1"


def cool(p, T):
    if T == 0:
        return np.eye(len(p))[np.argmax(p)]
    weights = (p / p.max()) ** (1 / T)
    return weights / weights.sum()
