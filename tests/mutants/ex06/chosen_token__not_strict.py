"""An impossible token at u = 0 (known fault B53)."""

import numpy as np

NAMED = "if every uniform is 0, you return 0, which has probability 0"


def chosen_token(p, x, *, rng):
    if rng.uniform() <= p[x]:
        return x, True
    others = np.where(np.arange(len(p)) == x, 0, p)
    return rng.categorical(others / others.sum()), False
