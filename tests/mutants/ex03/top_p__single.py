"""Running sums in single precision (known fault B04)."""

import numpy as np

NAMED = "running sums in single precision drift"


def top_p(p, mass):
    if mass >= 1:
        return p.copy()
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order].astype(np.float32))[:-1]
    kept = np.zeros_like(p)
    head = order[: 1 + (before < mass).sum()]
    kept[head] = p[head]
    return kept / kept.sum()
