"""What passes is taken to come up as p says."""

import numpy as np

NAMED = "a draft that passes comes up as often as it is drafted"


def top_k_law(p, q, k):
    top = np.argsort(-p, kind="stable")[:k]
    kept = np.zeros(len(p))
    kept[top] = p[top]
    return kept + (1 - kept.sum()) * p
