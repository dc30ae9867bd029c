"""A uniform of 0 keeps a token that the target forbids."""

import numpy as np

NAMED = "if every uniform is 0, you return (0, "


def chain_round(target, draft, prefix, gamma, *, rng):
    new = ()
    for _ in range(gamma):
        p, q = target.next_probs(prefix + new), draft.next_probs(prefix + new)
        x = rng.categorical(q)
        if not rng.uniform() <= p[x] / q[x]:
            left = np.maximum(p - q, 0)
            return (*new, rng.categorical(left / left.sum() if left.sum() > 0 else p))
        new += (x,)
    return (*new, rng.categorical(target.next_probs(prefix + new)))
