"""The last token catches what rounding leaves, possible or not."""

import numpy as np

NAMED = "u = 1 - 2^-53 you return 10, which has probability 0"


def draw(p, u):
    return min(int(np.searchsorted(np.cumsum(p), u, side="right")), len(p) - 1)
