"""One row for all: the target is asked once, before the drafts."""

import numpy as np

NAMED = "after prefix ("


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def chain_round(target, draft, prefix, gamma, *, rng):
    x, q = (), []
    p = target.next_probs(prefix)
    for _ in range(gamma):
        q.append(draft.next_probs(prefix + x))
        x += (rng.categorical(q[-1]),)
    for i in range(gamma):
        if not rng.uniform() < p[x[i]] / q[i][x[i]]:
            return (*x[:i], rng.categorical(residual(p, q[i])))
    return (*x, rng.categorical(p))
