"""p to the power T."""

import numpy as np

NAMED = "the exponent is 1/T, not T"


def cool(p, T):
    if T < 0:
        raise ValueError(f"T must not be negative, got {T}")
    if T == 0:
        return np.eye(len(p))[np.argmax(p)]
    weights = (p / p.max()) ** T
    return weights / weights.sum()
