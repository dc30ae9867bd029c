"""Tested against a row of its own that it was not drawn from (known fault B48)."""

import numpy as np

NAMED = "too much"


def chosen_token(p, x, *, rng):
    q = np.full(len(p), 1 / len(p))
    if rng.uniform() < p[x] / q[x]:
        return x, True
    rest = np.maximum(p - q, 0)
    return rng.categorical(rest / rest.sum() if rest.sum() > 0 else p), False
