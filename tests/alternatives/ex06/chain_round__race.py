"""An exponential race for every draw: sampled."""

import numpy as np

SAMPLED = True


def race(row, rng):
    possible = np.flatnonzero(row)
    return int(possible[np.argmin(-np.log1p(-rng.uniform(len(possible))) / row[possible])])


def chain_round(target, draft, prefix, gamma, *, rng):
    new = ()
    for _ in range(gamma):
        p, q = target.next_probs(prefix + new), draft.next_probs(prefix + new)
        x = race(q, rng)
        if rng.uniform() >= p[x] / q[x]:
            return (*new, race(np.maximum(p - q, 0), rng))
        new += (x,)
    return (*new, race(target.next_probs(prefix + new), rng))
