"""A NaN is not refused: np.argmax returns its position."""

import numpy as np

NAMED = "you return 0, it must be refused with a ValueError"


def greedy_token(logits):
    return int(np.argmax(logits))
