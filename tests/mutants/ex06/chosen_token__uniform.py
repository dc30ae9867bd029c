"""Any other token."""

import numpy as np

NAMED = "all other tokens come up alike"


def chosen_token(p, x, *, rng):
    if rng.uniform() < p[x]:
        return x, True
    others = np.where(np.arange(len(p)) == x, 0, 1)
    return rng.categorical(others / others.sum()), False
