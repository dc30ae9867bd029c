"""A threshold keeps all tokens that tie with the last one."""

import numpy as np

NAMED = "for p = (0.25, 0.25, 0.25, 0.25)"


def top_p(p, mass):
    if mass >= 1:
        return p.copy()
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order])[:-1]
    kept = np.zeros_like(p)
    head = p >= p[order[(before < mass).sum()]]
    kept[head] = p[head]
    return kept / kept.sum()
