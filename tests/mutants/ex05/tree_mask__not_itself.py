"""Without itself."""

import numpy as np

NAMED = "you do not let a node see itself"


def tree_mask(parents):
    n = len(parents)
    mask = np.eye(n, dtype=bool)
    for node, parent in enumerate(parents[1:], start=1):
        mask[node] |= mask[parent]
    return mask ^ np.eye(n, dtype=bool)
