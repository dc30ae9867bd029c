"""Drawing a token from a row: the methods, each on uniforms or noise that the caller gives.

Scalar code, one draw at a time: the definition. It only compares its uniforms, or scales and shifts them
first, so lazy uniforms give its exact law, and a counting uniform its cost. Many rows at once on a device
are `decodelab.batched`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from decodelab.dists import check_probs
from decodelab.models import LM
from decodelab.rng import Rng, as_array
from decodelab.tree import Prefix, Step

__all__ = [
    "AliasTable",
    "CountingUniform",
    "alias_table",
    "ancestral",
    "cdf_search",
    "gumbel",
    "gumbel_max",
    "gumbel_top_k",
    "linear_scan",
    "plackett_luce",
    "race",
]


def ancestral(lm: LM) -> Callable[..., Step]:
    """A round of plain sampling: one token drawn from `lm` given the prefix.

    Returns `round(prefix, *, rng) -> Step`; a decoder repeats it (`speculative.decode`). Greedy decoding
    is the same round on `Warped(lm, dists.greedy)`.
    **Law:** exact.
    """

    def round(prefix: Prefix, *, rng: Rng) -> Step:
        return Step((rng.categorical(lm.next_probs(prefix)),))

    return round


# --- with a table -------------------------------------------------------------------------------------


def linear_scan(p, u) -> int:
    """Walk along the row until the running sum passes `u`; the last possible token needs no comparison.

    Shapes: `p` (V,); `u` in [0, 1). Cost: one comparison a token walked past.
    **Law:** exact, for every u (no token of probability zero).
    """
    p = as_array(p)  # float32 sums of a large vocabulary drift
    possible = np.flatnonzero(p > 0).tolist()
    below = 0
    for token in possible[:-1]:
        below += p[token]
        if u < below:
            return token
    return possible[-1]


def cdf_search(below, u) -> int:
    """Find the slice of the running sums that holds `u` by halving.

    Shapes: `below` (V,) running sums of a row, non-decreasing and ending near 1, summed in float64; `u` in
    [0, 1).
    Cost: at most ceil(log2 V) comparisons.
    **Law:** exact; a token whose slice is empty is never returned.
    """
    top = int(np.searchsorted(below, below[-1], side="left"))  # the last token with a slice of its own
    low, high = 0, top
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if u < below[middle] else (middle + 1, high)
    return low


@dataclass(frozen=True)
class AliasTable:
    """V columns of equal width: column i gives i with probability `keep[i]`, else `alias[i]`."""

    keep: np.ndarray
    alias: np.ndarray

    def draw(self, u) -> int:
        """One token from one uniform: its first digits choose the column, the rest make one comparison.

        **Law:** exact.
        """
        column = math.floor(u * len(self.keep))
        return column if u * len(self.keep) - column < self.keep[column] else int(self.alias[column])

    def marginals(self) -> np.ndarray:
        """The law (V,) of `draw`, read off the table."""
        law = self.keep.copy()
        np.add.at(law, self.alias, 1 - self.keep)
        return law / len(self.keep)


def alias_table(p) -> AliasTable:
    """Cut a row (V,) into V columns of two tokens at most. Cost: about V steps, once.

    Errors: `ValueError` for a row that is no law.
    **Law:** exact, up to the rounding of V additions. Source: Walker 1977 (doi 10.1145/355744.355749), by
    the steps of Vose 1991 (doi 10.1109/32.92917).
    """
    p = check_probs(p, "p")
    if p.ndim != 1:
        raise ValueError(f"p must be one row, got shape {p.shape}")
    scaled = p * len(p)
    keep, alias = p * 0 + 1, np.arange(len(p))  # Fractions stay Fractions
    small = [i for i in range(len(p)) if scaled[i] < 1]
    large = [i for i in range(len(p)) if scaled[i] >= 1]
    while small and large:
        poor, rich = small.pop(), large.pop()
        keep[poor], alias[poor] = scaled[poor], rich
        scaled[rich] -= 1 - scaled[poor]  # what the rich one gave to the poor one's column
        (small if scaled[rich] < 1 else large).append(rich)
    return AliasTable(keep, alias)


class CountingUniform(float):
    """A uniform that counts the comparisons it takes part in (`count[0]`), scaled or shifted copies too."""

    def __new__(cls, value: float):
        self = super().__new__(cls, value)
        self.count = [0]
        return self

    def _same(self, value: float) -> CountingUniform:
        other = CountingUniform(value)
        other.count = self.count
        return other

    def _compared(self, outcome: bool) -> bool:
        self.count[0] += 1
        return outcome

    def __lt__(self, other):
        return self._compared(float(self) < other)

    def __le__(self, other):
        return self._compared(float(self) <= other)

    def __gt__(self, other):
        return self._compared(float(self) > other)

    def __ge__(self, other):
        return self._compared(float(self) >= other)

    def __mul__(self, other):
        return self._same(float(self) * other)

    def __sub__(self, other):
        return self._same(float(self) - other)


# --- with noise ------------------------------------------------------------------------------------------

SMALLEST, LARGEST = np.finfo(np.float64).tiny, np.nextafter(1.0, 0.0)


def gumbel(u) -> np.ndarray:
    """Standard Gumbel noise -log(-log u) from uniforms of any shape.

    Uniforms are clipped to [tiny, 1 - eps] first: at 0 and 1 the noise would be infinite, and a masked
    token with infinite noise is NaN.
    """
    return -np.log(-np.log(np.clip(np.asarray(u, dtype=np.float64), SMALLEST, LARGEST)))


def gumbel_max(logits, noise) -> int:
    """The token with the largest logit plus noise; -inf marks a token that must not occur.

    Shapes: `logits`, `noise` (V,). No softmax is needed, and no running sum.
    Errors: `ValueError` if every token is masked, or a logit is NaN or +inf.
    **Law:** exact for independent Gumbel noise: softmax(logits). A theorem, tested on a grid.
    """
    return int(gumbel_top_k(logits, noise, 1)[0])


def gumbel_top_k(logits, noise, k: int) -> tuple[int, ...]:
    """The k tokens with the largest logits plus noise, largest first: a sample without replacement.

    Shapes: `logits`, `noise` (V,). Fewer than k are returned if fewer are possible.
    **Law:** exact: `plackett_luce`. Source: Kool et al. 2019 (arXiv 1903.06059), section 2.3.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    logits, noise = np.asarray(logits, dtype=np.float64), np.asarray(noise, dtype=np.float64)
    bad = np.flatnonzero(np.isnan(logits) | (logits == np.inf))
    if len(bad):
        raise ValueError(f"logits[{bad[0]}] = {logits[bad[0]]} is not a logit")
    possible = np.flatnonzero(logits > -np.inf)
    if not len(possible):
        raise ValueError("logits: every token is masked (-inf)")
    if noise.shape != logits.shape or logits.ndim != 1:
        raise ValueError(f"noise must have the shape (V,) of logits, {logits.shape}, got {noise.shape}")
    order = np.argsort(-(logits + noise)[possible], kind="stable")[:k]
    return tuple(possible[order].tolist())


def race(p, u) -> int:
    """Every token runs for an exponential time of rate p; the first one home is drawn.

    Shapes: `p`, uniforms `u` (V,). The times are -log(u)/p.
    **Law:** exact for independent uniforms: p (the Gumbel-max trick without the logarithm of p).
    """
    p = check_probs(p, "p")
    return gumbel_max(np.log(np.where(p > 0, p, 1)) + np.where(p > 0, 0.0, -np.inf), gumbel(u))


def plackett_luce(p, k: int) -> dict[tuple[int, ...], object]:
    """The law of k draws from a row (V,) without replacement, in order: tuples to probabilities.

    Errors: `ValueError` for a k below 1 or above the number of possible tokens.
    **Law:** exact (way: closed form): each draw is from what is left, renormalised.
    """
    p = check_probs(p, "p")
    possible = np.flatnonzero(p > 0).tolist()
    if not 1 <= k <= len(possible):
        raise ValueError(f"k must lie between 1 and the {len(possible)} possible tokens, got {k}")
    law = {}
    for order in permutations(possible, k):
        mass = 1
        for i, token in enumerate(order):
            # the sum of what is left, not a difference: that would cancel on peaked rows
            mass = mass * p[token] / sum(p[t] for t in possible if t not in order[:i])
        law[order] = mass
    return law
