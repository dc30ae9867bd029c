"""The fault whose randomness cannot be enumerated: draft and residual drawn with the same noise."""

from __future__ import annotations

import numpy as np

from decodelab import dists
from decodelab.sampling import race
from decodelab.tree import Draft, Tree


class SharedNoise:
    """Draft and residual are each the winner of a race, and it is the same race: one seed for both."""

    def drafter(self, lm, gamma, *, start, end=None):
        def drafter(prefix, *, rng):
            tokens, rows, self.noise = [], [np.zeros(lm.vocab_size)], []
            while len(tokens) < gamma and end not in tokens[-1:]:
                rows.append(lm.next_probs((*prefix, *tokens)))
                self.noise.append(rng.uniform(lm.vocab_size))
                tokens.append(race(rows[-1], self.noise[-1]))
            root = prefix[-1] if prefix else start
            return Draft(Tree.chain(root, tokens), np.stack(rows))

        return drafter

    def rule(self, p, draft, *, rng):
        for i, x in enumerate(draft.tree.tokens[1:], start=1):
            row, q = p[i - 1], draft.q[i]
            if not rng.bernoulli(min(1, row[x] / q[x])):
                left, stale = dists.left_over(row, q), self.noise[i - 1]
                return tuple(range(1, i)), race(left, stale)  # should be fresh
        return tuple(range(1, len(p))), rng.categorical(p[-1])


def shared_noise_kernel(p, q, a):
    """What `SharedNoise` does at one slot of a chain, rows (M, V): min(p, q) stays, the wrong residual ends.

    **Law:** closed form, tested against an integral over the noise and by sampling.
    """
    end = np.stack([_rejected(*pair) for pair in zip(p, q, strict=True)])
    return np.minimum(p, q), end, p * 0 + 1


def _rejected(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The mass (V,) of each token emitted after a rejection."""
    left, end = dists.left_over(p, q), p * 0
    for x in np.flatnonzero(q > p):
        for y in np.flatnonzero(left > 0):
            end[y] += (1 - p[x] / q[x]) * _both_win(q, left, x, y)
    return end


def _both_win(q: np.ndarray, left: np.ndarray, x: int, y: int):
    """The chance that x wins the race at rates q and y, another token, the same race at rates `left`.

    Write the clocks as E_x = s q_x and E_y = s w. Then x wins if w > q_y, and the others must be later than
    both winners: E_z > s max(q_z, w left_z/left_y). Integrating over s leaves q_x / D(w)^2 with a D that is
    linear between its kinks, so the rest is a sum of quotients.
    """
    others = [z for z in range(len(q)) if z not in (x, y)]
    slopes = {z: left[z] / left[y] for z in others}
    kinks = sorted({q[z] / slopes[z] for z in others if slopes[z] > 0 and q[z] / slopes[z] > q[y]})
    edges, total = [q[y], *kinks], 0
    for lo, hi in zip(edges, [*edges[1:], None], strict=True):
        inside = lo + 1 if hi is None else (lo + hi) / 2
        rising = [z for z in others if inside * slopes[z] > q[z]]
        slope = 1 + sum(slopes[z] for z in rising)
        at = q[x] + sum(q[z] for z in others if z not in rising)
        total += (1 / (at + slope * lo) - (0 if hi is None else 1 / (at + slope * hi))) / slope
    return q[x] * total
