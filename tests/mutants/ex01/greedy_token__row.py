"""The one-hot row instead of the id."""

import numpy as np

NAMED = "must be a number"


def greedy_token(logits):
    if np.isnan(logits).any():
        raise ValueError("NaN")
    return logits == logits.max()
