"""Kept only where the target would take it too."""

import numpy as np

NAMED = "you keep x only where it is the likeliest"


def chosen_token(p, x, *, rng):
    if x == np.argmax(p):
        return x, True
    others = np.where(np.arange(len(p)) == x, 0, p)
    return rng.categorical(others / others.sum()), False
