"""The noise that chose the draft also chooses what replaces it (known fault B56)."""

import numpy as np

NAMED = "too much"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    noise = -np.log(-np.log(np.clip(rng.uniform(len(q)), 1e-300, 1 - 2**-53)))
    x = int(np.argmax(np.log(np.maximum(q, 1e-300)) + noise))
    if rng.uniform() < p[x] / q[x]:
        return x, True
    rest = np.maximum(p - q, 0)
    return int(np.argmax(np.log(np.maximum(rest, 1e-300)) + noise)), False
