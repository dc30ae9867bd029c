"""The maximum is not subtracted: exp overflows and the row is NaN."""

import numpy as np

NAMED = "for logits [1000, 1001, 999]"


def greedy_token(logits):
    if np.isnan(logits).any():
        raise ValueError("NaN")
    weights = np.exp(logits)
    return int(np.argmax(weights / weights.sum()))
