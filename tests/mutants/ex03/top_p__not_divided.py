"""Not renormalised."""

import numpy as np

NAMED = "not divided by their mass"


def top_p(p, mass):
    if mass >= 1:
        return p.copy()
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order])[:-1]
    kept = np.zeros_like(p)
    head = order[: 1 + (before < mass).sum()]
    kept[head] = p[head]
    return kept
