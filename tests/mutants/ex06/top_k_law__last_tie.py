"""Of equal tokens the last."""

import numpy as np

NAMED = "of equal tokens the lower id is ranked first"


def top_k_law(p, q, k):
    top = np.argsort(p, kind="stable")[::-1][:k]
    kept = np.zeros(len(p))
    kept[top] = q[top]
    return kept + (1 - kept.sum()) * p
