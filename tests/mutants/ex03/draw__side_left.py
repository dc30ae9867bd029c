"""The first running sum that is at least u (known fault B17)."""

import numpy as np

NAMED = "u = 0 you return 0, which has probability 0"


def draw(p, u):
    return np.searchsorted(np.cumsum(p), u, side="left")
