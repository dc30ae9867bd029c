""" "Exceeds" in place of "reaches" (known fault B02)."""

import numpy as np

NAMED = "the mass is reached before the last of them"


def top_p(p, mass):
    if mass >= 1:
        return p.copy()
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order])[:-1]
    kept = np.zeros_like(p)
    head = order[: 1 + (before <= mass).sum()]
    kept[head] = p[head]
    return kept / kept.sum()
