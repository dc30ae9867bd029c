"""The bound is absolute."""

import numpy as np

NAMED = "the bound is relative to the likeliest token"


def min_p(logits, ratio):
    p = np.exp(logits - logits.max())
    p = p / p.sum()
    kept = np.where(p >= ratio, p, 0.0)
    return kept / kept.sum()
