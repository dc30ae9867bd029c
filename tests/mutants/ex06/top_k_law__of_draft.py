"""The draft's own k likeliest."""

import numpy as np

NAMED = "the k likeliest are those of the target"


def top_k_law(p, q, k):
    top = np.argsort(-q, kind="stable")[:k]
    kept = np.zeros(len(p))
    kept[top] = q[top]
    return kept + (1 - kept.sum()) * p
