"""The prefix is handed back too."""

import numpy as np

NAMED = "the new ones alone are wanted, 4 at most"


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
            return (*prefix, *x[:i], rng.categorical(residual(p[i], q[i])))
    return (*prefix, *x, rng.categorical(p[gamma]))
