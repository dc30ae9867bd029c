"""The usual mask of a chain."""

import numpy as np

NAMED = "also those on other branches"


def tree_mask(parents):
    n = len(parents)
    return np.tri(n)
