"""The round goes on after a replacement: a return is missing."""

import numpy as np

NAMED = "you go on testing the old drafts after a replacement, the round is over"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def chain_round(target, draft, prefix, gamma, *, rng):
    x, q = (), []
    for _ in range(gamma):
        q.append(draft.next_probs(prefix + x))
        x += (rng.categorical(q[-1]),)
    new = ()
    for i in range(gamma):
        p = target.next_probs(prefix + x[:i])
        if rng.uniform() < p[x[i]] / q[i][x[i]]:
            new += (x[i],)
        else:
            new += (rng.categorical(residual(p, q[i])),)
    return (*new, rng.categorical(target.next_probs(prefix + x)))
