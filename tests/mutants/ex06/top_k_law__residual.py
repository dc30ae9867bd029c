"""Rejected drafts are replaced from the residual."""

import numpy as np

NAMED = "you give (1, 0): a rejected draft is replaced from p, not from the residual"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def top_k_law(p, q, k):
    top = np.argsort(-p, kind="stable")[:k]
    kept = np.zeros(len(p))
    kept[top] = q[top]
    return kept + (1 - kept.sum()) * residual(p, q)
