"""Running sums of the possible tokens, halving."""

import numpy as np


def draw(p, u):
    possible = np.flatnonzero(p)
    below = np.cumsum(p[possible])[:-1]
    return possible[np.searchsorted(below, u, side="right")]
