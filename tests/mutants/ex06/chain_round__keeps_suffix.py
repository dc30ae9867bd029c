"""Drafts after the rejected one stay (spec.wrong.keepsuffix)."""

import numpy as np

NAMED = "you leave drafts after a rejected one, they must go"


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
            return (*x[:i], rng.categorical(residual(p[i], q[i])), *x[i + 1 :])
    return (*x, rng.categorical(p[gamma]))
