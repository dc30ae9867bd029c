"""All rows of the target are those after the prefix."""

import numpy as np

NAMED = "you take all the target's rows after the prefix"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def chain_round(target, draft, prefix, gamma, *, rng):
    x, q = (), []
    for _ in range(gamma):
        q.append(draft.next_probs(prefix + x))
        x += (rng.categorical(q[-1]),)
    p = target.next_probs(prefix)
    for i in range(gamma):
        if not rng.uniform() < p[x[i]] / q[i][x[i]]:
            return (*x[:i], rng.categorical(residual(p, q[i])))
    return (*x, rng.categorical(p))
