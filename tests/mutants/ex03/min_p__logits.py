"""The bound is on logits (known fault B15)."""

import numpy as np

NAMED = "not of logits"


def min_p(logits, ratio):
    kept = np.where(logits >= ratio * logits.max(), np.exp(logits - logits.max()), 0.0)
    return kept / kept.sum()
