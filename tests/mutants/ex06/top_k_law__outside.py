"""Replaced by a token that would not have passed."""

import numpy as np

NAMED = "a rejected draft is replaced from p as it is"


def top_k_law(p, q, k):
    top = np.argsort(-p, kind="stable")[:k]
    kept = np.zeros(len(p))
    kept[top] = q[top]

    others = p.copy()
    others[top] = 0
    others = others / others.sum() if others.sum() > 0 else p
    return kept + (1 - kept.sum()) * others
