"""What is left is not divided by its sum."""

import numpy as np

NAMED = "your function raises ValueError: p sums to"


def chosen_token(p, x, *, rng):
    if rng.uniform() < p[x]:
        return x, True
    others = np.where(np.arange(len(p)) == x, 0, p)
    return rng.categorical(others), False
