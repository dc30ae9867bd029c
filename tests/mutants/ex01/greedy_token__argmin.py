"""The smallest logit instead of the largest."""

import numpy as np

NAMED = "the largest logit stands at 1"


def greedy_token(logits):
    if np.isnan(logits).any():
        raise ValueError("NaN")
    return int(np.argmin(logits))
