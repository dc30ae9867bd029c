"""A ratio in float32, so that the largest uniform is compared with 1."""

import numpy as np

NAMED = "for p_x = .4, q_x = .4 and u = 1 - 2^-53 you refuse it, and must not: this u is 1 in float32"


def accept(p_x, q_x, *, rng):
    return rng.uniform() < np.float32(p_x) / np.float32(q_x)
