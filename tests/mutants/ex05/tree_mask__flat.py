"""One row."""

import numpy as np

NAMED = "return 5 rows of 5 entries"


def tree_mask(parents):
    n = len(parents)
    mask = np.eye(n, dtype=bool)
    for node, parent in enumerate(parents[1:], start=1):
        mask[node] |= mask[parent]
    return mask.ravel()
