"""The noise may be infinite (known fault B19)."""

import numpy as np

NAMED = "you return the forbidden token 0"


def draw_rows(logits, *, rng):
    return np.argmax(logits - np.log(-np.log(rng.uniform(logits.shape))), axis=1)
