"""Both draws by Gumbel noise, fresh each time: sampled."""

import numpy as np

SAMPLED = True


def gumbel(row, rng):
    u = np.clip(rng.uniform(len(row)), 1e-300, 1 - 2**-53)
    with np.errstate(divide="ignore"):
        return int(np.argmax(np.log(row) - np.log(-np.log(u))))


def one_token(p, q, *, rng):
    x = gumbel(q, rng)
    if rng.uniform() < p[x] / q[x]:
        return x, True
    rest = np.maximum(p - q, 0)
    return gumbel(rest / rest.sum(), rng), False
