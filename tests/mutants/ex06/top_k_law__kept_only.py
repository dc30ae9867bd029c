"""The rejected mass is lost."""

import numpy as np

NAMED = "the tokens that replace rejected drafts are missing"


def top_k_law(p, q, k):
    top = np.argsort(-p, kind="stable")[:k]
    kept = np.zeros(len(p))
    kept[top] = q[top]
    return kept
