"""The draft model's row is asked for once and kept."""

import numpy as np

NAMED = "you use the q of the first draft for all"


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
        if not rng.uniform() < p[i][x[i]] / q[0][x[i]]:
            return (*x[:i], rng.categorical(residual(p[i], q[0])))
    return (*x, rng.categorical(p[gamma]))
