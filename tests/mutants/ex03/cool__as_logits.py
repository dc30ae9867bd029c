"""Probabilities taken for logits."""

import numpy as np

NAMED = "you take the probabilities for logits"


def cool(p, T):
    if T < 0:
        raise ValueError(f"T must not be negative, got {T}")
    if T == 0:
        return np.eye(len(p))[np.argmax(p)]
    weights = np.exp(p / T)
    return weights / weights.sum()
