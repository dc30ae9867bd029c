"""No token survives a tiny temperature (known fault B12)."""

import numpy as np

NAMED = "too small for a float"


def cool(p, T):
    if T < 0:
        raise ValueError(f"T must not be negative, got {T}")
    if T == 0:
        return np.eye(len(p))[np.argmax(p)]
    weights = p ** (1 / T)
    return weights / weights.sum()
