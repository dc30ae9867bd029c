"""A sort that mixes equal tokens of a long row."""

import numpy as np

NAMED = "for p = .02, .03, ... of 40 tokens, q falling from 40/820 to 1/820, k = 10 the law is wrong"


def top_k_law(p, q, k):
    likeliest = sorted(range(len(p)), key=lambda x: (-p[x], x % 7))[:k]
    kept = np.zeros(len(p))
    kept[likeliest] = q[likeliest]
    return kept + (1 - kept.sum()) * p
