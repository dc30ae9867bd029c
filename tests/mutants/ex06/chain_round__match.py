"""Sample and match: exact, and keeps less (known fault B77)."""

import numpy as np

NAMED = "with prefix () and gamma = 2, the text keeps its law, but a round gives"


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
        y = rng.categorical(p[i])
        if y != x[i]:
            return (*x[:i], y)
    return (*x, rng.categorical(p[gamma]))
