"""The largest logit instead of its position."""

import numpy as np

NAMED = "you return 3: that is the logit, not its id"


def greedy_token(logits):
    if np.isnan(logits).any():
        raise ValueError("NaN")
    return logits.max()
