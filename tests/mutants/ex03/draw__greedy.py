"""The likeliest token."""

import numpy as np

NAMED = "you return 0 for every u"


def draw(p, u):
    return np.argmax(p)
