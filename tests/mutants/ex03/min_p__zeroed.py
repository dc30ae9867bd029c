"""Rejected logits become 0, which rejects nothing (known fault B15)."""

import numpy as np

NAMED = "for logits"


def min_p(logits, ratio):
    kept = np.where(np.exp(logits - logits.max()) >= ratio, logits, 0.0)
    weights = np.exp(kept - kept.max())
    return weights / weights.sum()
