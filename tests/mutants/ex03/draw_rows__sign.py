"""The sign of the inner logarithm: every sum is NaN (known fault B21)."""

import numpy as np

NAMED = "in row 0"


def draw_rows(logits, *, rng):
    return np.argmax(logits - np.log(np.log(rng.uniform(logits.shape))), axis=1)
