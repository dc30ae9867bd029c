"""At least one draft, whatever gamma is (known fault B65)."""

import numpy as np

NAMED = "with prefix (2,) and gamma = 0 you return 2 tokens"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def chain_round(target, draft, prefix, gamma, *, rng):
    gamma = max(gamma, 1)

    x, q = (), []
    for _ in range(gamma):
        q.append(draft.next_probs(prefix + x))
        x += (rng.categorical(q[-1]),)
    p = [target.next_probs(prefix + x[:i]) for i in range(gamma + 1)]
    for i in range(gamma):
        if not rng.uniform() < p[i][x[i]] / q[i][x[i]]:
            return (*x[:i], rng.categorical(residual(p[i], q[i])))
    return (*x, rng.categorical(p[gamma]))
