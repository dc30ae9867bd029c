"""The wrong kind of refusal."""

import numpy as np

NAMED = "raises IndexError, it must raise a ValueError"


def greedy_token(logits):
    if np.isnan(logits).any():
        raise IndexError("NaN")
    return int(np.argmax(logits))
