"""Whether a draft will be kept first, then which one."""

import numpy as np


def one_token(p, q, *, rng):
    both = np.minimum(p, q)
    if rng.bernoulli(min(1.0, both.sum())):
        return rng.categorical(both / both.sum()), True
    return rng.categorical((p - both) / (p - both).sum()), False
