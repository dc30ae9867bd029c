"""The token that crosses the bound is dropped (known fault B01)."""

import numpy as np

NAMED = "the token that crosses the bound stays"


def top_p(p, mass):
    if mass >= 1:
        return p.copy()
    order = np.argsort(-p, kind="stable")
    kept = np.zeros_like(p)
    head = order[: max(int((np.cumsum(p[order]) <= mass).sum()), 1)]
    kept[head] = p[head]
    return kept / kept.sum()
