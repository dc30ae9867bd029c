"""Writes into parents."""

import numpy as np

NAMED = "writes into parents"


def tree_mask(parents):
    n = len(parents)
    mask = np.eye(n, dtype=bool)
    for node, parent in enumerate(parents[1:], start=1):
        mask[node] |= mask[parent]
    parents[0] = 0
    return mask
