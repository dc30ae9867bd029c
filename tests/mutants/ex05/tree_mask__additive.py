"""Zeros and minus infinities."""

import numpy as np

NAMED = "each entry must be True or False"


def tree_mask(parents):
    n = len(parents)
    mask = np.eye(n, dtype=bool)
    for node, parent in enumerate(parents[1:], start=1):
        mask[node] |= mask[parent]
    return np.where(mask, 0.0, -np.inf)
