"""The bound is the mass left out (known fault B06)."""

import numpy as np

NAMED = "that is the mass left out"


def top_p(p, mass):
    mass = 1 - mass
    if mass >= 1:
        return p.copy()
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order])[:-1]
    kept = np.zeros_like(p)
    head = order[: 1 + (before < mass).sum()]
    kept[head] = p[head]
    return kept / kept.sum()
