"""The row of the model is changed."""

import numpy as np

NAMED = "writes into the row"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def chain_round(target, draft, prefix, gamma, *, rng):
    x, q = (), []
    for _ in range(gamma):
        q.append(draft.next_probs(prefix + x))
        x += (rng.categorical(q[-1]),)
    p = [target.next_probs(prefix + x[:i]) for i in range(gamma + 1)]
    for i in range(gamma):
        if not rng.uniform() < p[i][x[i]] / q[i][x[i]]:
            p[i] -= q[i]
            p[i][p[i] < 0] = 0
            left = p[i].copy()
            left = left / left.sum()
            return (*x[:i], rng.categorical(left))
    return (*x, rng.categorical(p[gamma]))
