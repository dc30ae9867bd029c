"""Nothing is returned above the last running sum."""

import numpy as np

NAMED = "u = 1 - 2^-53 you return 10, the last token is 9"


def draw(p, u):
    return int(np.searchsorted(np.cumsum(p), u, side="right"))
