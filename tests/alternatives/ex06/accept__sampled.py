"""The logarithm of a uniform cannot be enumerated."""

import numpy as np

SAMPLED = True


def accept(p_x, q_x, *, rng):
    with np.errstate(divide="ignore"):
        return np.log(rng.uniform()) < np.log(p_x) - np.log(q_x)
