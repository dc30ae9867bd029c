"""The uniform before the draft; the residual by inverse CDF."""

import numpy as np


def pick(row, u):
    below = 0.0
    for token, mass in enumerate(row):
        below += mass
        if u < below:
            return token
    return int(np.flatnonzero(row)[-1])


def one_token(p, q, *, rng):
    u, v = rng.uniform(2)
    x = rng.categorical(q)
    if u * q[x] < p[x]:
        return x, True
    rest = np.maximum(p - q, 0)
    return pick(rest / rest.sum(), v), False
