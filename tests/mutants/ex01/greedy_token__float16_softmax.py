"""A softmax in half precision makes two logits equal."""

import numpy as np

NAMED = "a softmax rounds these logits to a tie, but the largest is at 1"


def greedy_token(logits):
    if np.isnan(logits).any():
        raise ValueError("NaN")
    weights = np.exp((logits - logits.max()).astype(np.float16))
    return int(np.argmax(weights / weights.sum()))
