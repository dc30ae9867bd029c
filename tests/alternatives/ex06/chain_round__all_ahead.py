"""All uniforms ahead, all rows as one array, a recursion for the verdict; torch ids."""

import numpy as np
import torch


def pick(row, u):
    below = np.cumsum(row)[:-1]
    return int(sum(bool(u >= edge) for edge in below))


def chain_round(target, draft, prefix, gamma, *, rng):
    drafted, rows = [], []
    for u in rng.uniform(gamma):
        rows.append(draft.next_probs((*prefix, *drafted)))
        drafted.append(pick(rows[-1], u))
    p = np.stack([target.next_probs((*prefix, *drafted[:i])) for i in range(gamma + 1)])
    coins = rng.uniform(gamma)

    def verdict(i):
        if i == gamma:
            return [rng.categorical(p[i])]
        x = drafted[i]
        if coins[i] * rows[i][x] < p[i][x]:
            return [x, *verdict(i + 1)]
        rest = np.maximum(p[i] - rows[i], 0)
        return [rng.categorical(rest / rest.sum())]

    return torch.tensor(verdict(0))
