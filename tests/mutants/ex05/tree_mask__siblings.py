"""Siblings see each other (known fault B72)."""

import numpy as np

NAMED = "you let a node see its siblings"


def tree_mask(parents):
    n = len(parents)
    mask = np.eye(n, dtype=bool)
    for node, parent in enumerate(parents[1:], start=1):
        mask[node] |= mask[parent]
    return mask | np.equal.outer(parents, parents)
