"""The row is not sorted."""

import numpy as np

NAMED = "for p = (0.05, 0.3, 0.15, 0.5)"


def top_p(p, mass):
    if mass >= 1:
        return p.copy()
    order = np.arange(len(p))
    before = np.cumsum(p[order])[:-1]
    kept = np.zeros_like(p)
    head = order[: 1 + (before < mass).sum()]
    kept[head] = p[head]
    return kept / kept.sum()
