"""A round is a token and, if it was kept, a shorter round."""

import numpy as np


def chain_round(target, draft, prefix, gamma, *, rng):
    p = target.next_probs(prefix)
    if gamma == 0:
        return (rng.categorical(p),)
    q = draft.next_probs(prefix)
    both = np.minimum(p, q)
    if rng.uniform() < both.sum():
        x = rng.categorical(both / both.sum())
        return (x, *chain_round(target, draft, (*prefix, x), gamma - 1, rng=rng))
    return (rng.categorical((p - both) / (p - both).sum()),)
