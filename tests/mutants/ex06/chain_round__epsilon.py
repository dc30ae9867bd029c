"""A small number in the denominator."""

import numpy as np

NAMED = "is there an epsilon in a denominator: "


def chain_round(target, draft, prefix, gamma, *, rng):
    new = ()
    for _ in range(gamma):
        p, q = target.next_probs(prefix + new), draft.next_probs(prefix + new)
        x = rng.categorical(q)
        if not rng.uniform() < p[x] / (q[x] + 1e-7):
            left = np.maximum(p - q, 0)
            return (*new, rng.categorical(left / left.sum() if left.sum() > 0 else p))
        new += (x,)
    return (*new, rng.categorical(target.next_probs(prefix + new)))
