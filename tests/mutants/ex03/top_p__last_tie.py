"""Of equal tokens the last stays."""

import numpy as np

NAMED = "of equal tokens the lower id stays"


def top_p(p, mass):
    if mass >= 1:
        return p.copy()
    order = np.argsort(p, kind="stable")[::-1]
    before = np.cumsum(p[order])[:-1]
    kept = np.zeros_like(p)
    head = order[: 1 + (before < mass).sum()]
    kept[head] = p[head]
    return kept / kept.sum()
