"""One token more is drawn after the replacement: a break in place of a return."""

import numpy as np

NAMED = "you draw another token after the one that replaces a rejected draft"


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
        p = target.next_probs(prefix + new)
        if rng.uniform() < p[x[i]] / q[i][x[i]]:
            new += (x[i],)
        else:
            new += (rng.categorical(residual(p, q[i])),)
            break
    return (*new, rng.categorical(target.next_probs(prefix + new)))
