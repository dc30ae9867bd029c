"""numpy's own generator."""

import numpy as np

NAMED = "q = (.2, .5, .3) every run gives (1, True): nothing depends on rng there"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def one_token(p, q, *, rng):
    rng = np.random.default_rng(0)
    x = int(rng.choice(len(q), p=q))
    if rng.random() < p[x] / q[x]:
        return x, True
    return int(rng.choice(len(p), p=residual(p, q))), False
