"""Each draft is judged by the row after it."""

import numpy as np

NAMED = "you judge a draft by the target's row after it, take the row before it: after prefix ("


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def chain_round(target, draft, prefix, gamma, *, rng):
    x, q = (), []
    for _ in range(gamma):
        q.append(draft.next_probs(prefix + x))
        x += (rng.categorical(q[-1]),)
    p = [target.next_probs(prefix + x[: i + 1]) for i in range(gamma + 1)]
    for i in range(gamma):
        if not rng.uniform() < p[i][x[i]] / q[i][x[i]]:
            return (*x[:i], rng.categorical(residual(p[i], q[i])))
    return (*x, rng.categorical(p[gamma]))
