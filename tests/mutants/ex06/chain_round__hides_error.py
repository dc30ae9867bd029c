"""A draw that cannot be enumerated, and an error after a long prefix."""

import numpy as np

NAMED = "with prefix (0, 1, 2) and gamma = 1 your function raises IndexError"


def chain_round(target, draft, prefix, gamma, *, rng):
    float(rng.uniform())
    if len(prefix) > 2:
        raise IndexError
    new = ()
    for _ in range(gamma):
        p, q = target.next_probs(prefix + new), draft.next_probs(prefix + new)
        x = rng.categorical(q)
        if not rng.uniform() < p[x] / q[x]:
            left = np.maximum(p - q, 0)
            return (*new, rng.categorical(left / left.sum() if left.sum() > 0 else p))
        new += (x,)
    return (*new, rng.categorical(target.next_probs(prefix + new)))
