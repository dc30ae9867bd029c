"""Even the exact softmax rounds two near logits to one number."""

import numpy as np

NAMED = "for logits [0, 1e-17] you return 0"


def greedy_token(logits):
    if np.isnan(logits).any():
        raise ValueError("NaN")
    weights = np.exp(logits - logits.max())
    return int(np.argmax(weights / weights.sum()))
