"""The row is not divided by its sum."""

import numpy as np

NAMED = "the row is not divided by its sum"


def cool(p, T):
    if T < 0:
        raise ValueError(f"T must not be negative, got {T}")
    if T == 0:
        return np.eye(len(p))[np.argmax(p)]
    weights = p ** (1 / T)
    return weights
