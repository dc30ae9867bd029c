"""The way *merge* for a rule with a kernel: one dynamic program over tables of rows."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping

import numpy as np

from decodelab.dists import check_probs
from decodelab.exact.merge import SentenceLaw
from decodelab.tree import Prefix


def kernel_law(
    p_rows: Mapping[Prefix, np.ndarray],
    q_rows: Mapping[Prefix, np.ndarray],
    kernel: Callable,
    gamma: int,
    *,
    end: int = 0,
    legal: Callable[[Prefix], bool] | None = None,
) -> SentenceLaw:
    """The exact law of sentences under a rule with a kernel, by one dynamic program over tables of rows.

    `p_rows` and `q_rows` hold the target's and the draft's rows (V,) at every legal prefix that has a next
    token (a draft that looks at the place in the round: (gamma, V)). A token that leads to no key of `p_rows`
    is illegal, if it is not `end`, and so is an `end` for which `legal(sentence)` is false.
    `kernel(p, q, a) -> (stay, end, next a)`, arrays (M, V) with `a` (M, 1); after
    `gamma` kept tokens the round ends with a draw from p. `drafted` is not known to a kernel: NaN.
    Errors: `ValueError` for a negative gamma, an `end` that is no token, rows that are no laws, or a table
    without the empty prefix, with a gap, or with a prefix that goes on after `end`.
    **Law:** exact if the kernel is its rule's; that is tested by running the rule, for a kernel whose parts
    sum to p is exact in any case and proves nothing.
    """
    _check_table(p_rows, gamma, end)
    _check_rows(p_rows, "p_rows", end)
    if gamma:
        gap = next((prefix for prefix in p_rows if prefix not in q_rows), None)
        if gap is not None:
            raise ValueError(f"q_rows has no row for the prefix {gap}")
        _check_rows({prefix: q_rows[prefix] for prefix in p_rows}, "q_rows", end)
    return _Program(p_rows, q_rows, kernel, gamma, end, legal or (lambda sentence: True)).run()


def table_law(
    rows: Mapping[Prefix, np.ndarray], *, end: int = 0, legal: Callable[[Prefix], bool] | None = None
) -> SentenceLaw:
    """The exact law of plain sampling from a table of rows (V,) at every legal prefix.

    As `kernel_law` without a draft, and as `sentence_law(ancestral(...))` in a fraction of its time.
    **Law:** exact (way: merge).
    """
    return kernel_law(rows, rows, lambda p, q, a: (p * 0, p, p), 0, end=end, legal=legal)


def _check_table(p_rows, gamma: int, end: int) -> None:
    if gamma < 0:
        raise ValueError(f"gamma must be at least 0, got {gamma}")
    for prefix in p_rows:
        if end in prefix:
            raise ValueError(f"p_rows has the prefix {prefix}, which goes on after the end token {end}")
        if prefix and prefix[:-1] not in p_rows:
            raise ValueError(f"p_rows has the prefix {prefix} and not {prefix[:-1]}, which leads to it")
    if () not in p_rows:
        raise ValueError("p_rows has no row for the empty prefix ()")


def _check_rows(rows: Mapping[Prefix, np.ndarray], name: str, end: int) -> None:
    if len({np.shape(row) for row in rows.values()}) != 1:
        raise ValueError(f"{name}: rows must share one shape")
    check_probs(np.stack(list(rows.values())), name)
    size = np.shape(next(iter(rows.values())))[-1]
    if not 0 <= end < size:
        raise ValueError(f"end must be a token id in [0, {size}), got {end}")


class _Program:
    """States are (prefix, slot): `slot` drafted tokens were kept since the round began, with running ratio a.

    All prefixes of one length are one array; the slot fixes where the round began, and so the ratio.
    """

    def __init__(self, p_rows, q_rows, kernel, gamma: int, end: int, legal):
        self.p_rows, self.q_rows, self.kernel, self.gamma = p_rows, q_rows, kernel, gamma
        self.end, self.legal = end, legal
        self.probs: dict[Prefix, float] = {}
        self.illegal = self.tokens = self.calls = self.accepted = 0.0

    def run(self) -> SentenceLaw:
        levels: dict[int, list[Prefix]] = defaultdict(list)
        for prefix in self.p_rows:
            levels[len(prefix)].append(prefix)
        mass, ratio = self._empty(levels[0])
        mass[0, 0] = 1
        for length in range(max(levels) + 1):
            following = levels.get(length + 1, [])
            mass, ratio = self._advance(levels[length], following, mass, ratio)
        counts = (self.illegal, 0.0, self.tokens, self.calls, math.nan, self.accepted)
        return SentenceLaw(self.probs, *map(float, counts))

    def _empty(self, prefixes: list[Prefix]) -> tuple[np.ndarray, np.ndarray]:
        shape = (self.gamma + 1, len(prefixes))
        return np.zeros(shape), np.ones(shape)

    def _advance(self, prefixes, following, mass, ratio):
        """Emit one token from every state of one length; return the next length's mass and ratio."""
        p = np.stack([self.p_rows[prefix] for prefix in prefixes]).astype(np.float64)
        parent, token, child = self._edges(prefixes, following, p.shape[1])
        next_mass, next_ratio = self._empty(following)
        finished = np.zeros(len(prefixes))
        self.calls += mass[0].sum()
        self.tokens += mass.sum()
        for slot in range(self.gamma + 1):
            stay, leave, grown = self._split(prefixes, p, slot, ratio[slot][:, None])
            stay, leave = stay * mass[slot][:, None], leave * mass[slot][:, None]
            self.accepted += stay.sum()
            finished += stay[:, self.end] + leave[:, self.end]
            if slot < self.gamma:
                next_mass[slot + 1, child] = stay[parent, token]
                next_ratio[slot + 1, child] = grown[parent, token]
            next_mass[0, child] += leave[parent, token]
        written = 0.0
        for prefix, mass_here in zip(prefixes, finished.tolist(), strict=True):
            if mass_here > 0 and self.legal((*prefix, self.end)):
                self.probs[(*prefix, self.end)] = mass_here
                written += mass_here
        self.illegal += max(0.0, mass.sum() - written - next_mass.sum())
        return next_mass, next_ratio

    def _split(self, prefixes, p, slot, a):
        """The kernel at one slot; the last one only draws from p."""
        if slot == self.gamma:
            return np.zeros_like(p), p, np.ones_like(p)
        q = np.stack([self.q_rows[prefix] for prefix in prefixes]).astype(np.float64)
        return self.kernel(p, q if q.ndim == 2 else q[:, slot], a)

    def _edges(self, prefixes, following, vocab_size):
        """(parent, token, child) index arrays: which state of the next length a token leads to."""
        row = {prefix: i for i, prefix in enumerate(prefixes)}
        found = [(row[p[:-1]], p[-1], i) for i, p in enumerate(following) if p[:-1] in row]
        return np.array(found, dtype=int).reshape(-1, 3).T
