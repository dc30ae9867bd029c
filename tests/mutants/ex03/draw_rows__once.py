"""The noise of one row is used for all, as in the sampler of the exercise."""

import numpy as np

NAMED = "the tokens are not independent"


def draw_rows(logits, *, rng):
    noise = -np.log(-np.log(np.clip(rng.uniform(logits.shape[1]), 1e-300, 1 - 2**-53)))
    return np.argmax(logits + noise, axis=1)
