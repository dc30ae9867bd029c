"""The root forgotten."""

import numpy as np

NAMED = "the root is an ancestor of every node"


def tree_mask(parents):
    n = len(parents)
    mask = np.eye(n, dtype=bool)
    for node, parent in enumerate(parents[1:], start=1):
        mask[node] |= mask[parent]
    mask[1:, 0] = False
    return mask
