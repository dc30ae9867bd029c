"""Impossible tokens never pass."""

import numpy as np

NAMED = "all tokens are ranked, those of probability 0 too"


def top_k_law(p, q, k):
    top = np.argsort(-p, kind="stable")[:k]
    kept = np.zeros(len(p))
    kept[top] = q[top]
    kept[p == 0] = 0
    return kept + (1 - kept.sum()) * p
