"""A bound of 0 keeps nothing (known fault B03)."""

import numpy as np

NAMED = "mass = 0.0"


def top_p(p, mass):
    if mass >= 1:
        return p.copy()
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order])[:-1]
    kept = np.zeros_like(p)
    head = order[: np.sum(np.insert(before, 0, 0.0) < mass)]
    kept[head] = p[head]
    return kept / kept.sum()
