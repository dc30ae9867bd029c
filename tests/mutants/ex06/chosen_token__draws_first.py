"""The replacement is drawn first, and nothing is left where p(x) = 1."""

import numpy as np

NAMED = "your function raises ValueError: p[0] = nan is not a probability"


def chosen_token(p, x, *, rng):
    others = np.where(np.arange(len(p)) == x, 0, p)
    rest = rng.categorical(others / others.sum())
    return (x, True) if rng.uniform() < p[x] else (rest, False)
