"""Sources of randomness: the only door through which an algorithm may draw.

An algorithm asks for three things and nothing else: an index from a row of probabilities, a coin, or
uniforms on [0, 1). Because every draw goes through this door, the same code runs on random numbers
(`NumpyRng`), on numbers chosen by a test (`ScriptedRng`), or through *all* of its outcomes
(`EnumeratingRng`, driven by `decodelab.exact.law`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from decodelab.lazy import LazyUniform

__all__ = ["EnumeratingRng", "NumpyRng", "Rng", "ScriptedRng", "TooManyTraces", "as_array", "pick"]


@runtime_checkable
class Rng(Protocol):
    """What an algorithm may ask for. Pass one as the keyword argument `rng`; nothing is global."""

    def categorical(self, p) -> int:
        """Draw an index with probabilities `p`, shape (V,)."""

    def bernoulli(self, a) -> bool:
        """True with probability `a` in [0, 1]."""

    def uniform(self, shape=None):
        """A uniform on [0, 1), or an array of them of the given shape."""


def pick(p, u) -> int:
    """Return the index whose slice of the cumulative sum of `p` holds `u`.

    Shapes: `p` is (V,), non-negative and not all zero; `u` is in [0, 1).
    The first index whose inclusive sum is *greater* than `u` is taken, so an index of probability zero
    is never returned: not at u = 0, where its slice is empty, and not at the top, where rounding can
    leave the last sum just below one. Sums are float64, whatever the row is: in float32 those of a large
    vocabulary drift, and thousands of rare tokens would never be drawn.
    Errors: `ValueError` if `p` is not a row with a positive entry, or `u` is outside [0, 1).
    **Law:** exact (index i with probability p[i] when u is uniform).
    """
    p = _checked_row(p)
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), got {u!r}")
    below = np.cumsum(p)
    index = int(np.searchsorted(below / below[-1], u, side="right"))  # a row may miss 1 by rounding
    return index if index < len(p) else int(np.flatnonzero(p > 0)[-1])


def as_array(values) -> np.ndarray:
    """Any array as numpy, float64 or objects; a torch tensor, bfloat16 included, is cast up here, once."""
    values = values.detach().cpu().double().numpy() if hasattr(values, "detach") else np.asarray(values)
    return values if values.dtype == object else values.astype(np.float64)


class NumpyRng:
    """Draws from a `numpy.random.Generator`; the source for running, not for proving."""

    def __init__(self, generator: np.random.Generator | int):
        """`generator` is a numpy Generator, or an integer seed for a fresh one."""
        if not isinstance(generator, np.random.Generator):
            generator = np.random.default_rng(generator)
        self._generator = generator

    def categorical(self, p) -> int:
        return pick(p, self._generator.random())

    def bernoulli(self, a) -> bool:
        return bool(self._generator.random() < _check_probability(a))

    def uniform(self, shape=None):
        return self._generator.random(shape)


class ScriptedRng:
    """Replays chosen draws, so that a test can stand on an edge (u = 0, or the largest u below 1).

    `draws` is read from the left, one entry a draw. A float is a uniform: it answers any request, an
    index or a coin by the usual comparison. An int is the index a `categorical` returns, a bool the
    answer of a `bernoulli`; both must be possible (positive probability).
    """

    def __init__(self, draws: Iterable[float | int | bool]):
        self._draws = list(draws)
        self._next = 0

    @property
    def remaining(self) -> int:
        """How many scripted draws have not been used."""
        return len(self._draws) - self._next

    def categorical(self, p) -> int:
        p = _checked_row(p)
        draw = self._take("categorical")
        if isinstance(draw, float):
            return pick(p, draw)
        if isinstance(draw, bool) or not 0 <= draw < len(p) or not p[draw] > 0:
            raise ValueError(f"draws[{self._next - 1}] = {draw!r} has no probability in p = {p.tolist()}")
        return draw

    def bernoulli(self, a) -> bool:
        a = _check_probability(a)
        draw = self._take("bernoulli")
        if isinstance(draw, float):
            return bool(draw < a)
        if not isinstance(draw, bool) or (a if draw else 1 - a) <= 0:
            raise ValueError(f"draws[{self._next - 1}] = {draw!r} cannot answer bernoulli({a})")
        return draw

    def uniform(self, shape=None):
        if shape is None:
            return self._uniform()
        return np.array([self._uniform() for _ in range(int(np.prod(shape)))]).reshape(shape)

    def _uniform(self) -> float:
        draw = self._take("uniform")
        if not isinstance(draw, float):
            raise ValueError(f"draws[{self._next - 1}] = {draw!r} is not a uniform in [0, 1)")
        return draw

    def _take(self, asked: str):
        if not self.remaining:
            raise ValueError(
                f"draws has {len(self._draws)} entries and the algorithm asked for one more: {asked}"
            )
        self._next += 1
        draw = self._draws[self._next - 1]
        if isinstance(draw, float) and not 0 <= draw < 1:
            raise ValueError(f"draws[{self._next - 1}] = {draw!r} is not a uniform in [0, 1)")
        return draw


OTHER_SOURCE = (
    "the procedure did not repeat itself when its draws were replayed: it draws from another source than "
    "`rng`, or keeps state from one run to the next"
)


MOST_BRANCHINGS = 1000  # on one trace


class TooManyTraces(ValueError):
    """The procedure has more traces than the caller allowed, or a trace that does not come to an end."""


class EnumeratingRng:
    """Walks the tree of all random choices of a procedure, one trace a run.

    A trace is the list of branches taken. Each run replays the branches of `self._trace` and, past its
    end, takes the first branch of positive mass; `advance` then moves to the next trace, depth first.
    Branches of zero mass are never entered. Uniforms are lazy (`decodelab.lazy`): they branch when
    they are compared.
    Errors: `TooManyTraces` for a trace of more than 1,000 branchings; `ValueError` if a replay differs.
    """

    def __init__(self):
        self._trace: list[_Branching] = []
        self._depth = 0

    def start(self) -> None:
        """Begin a run: replay from the first choice."""
        self._depth = 0

    def answers(self) -> list:
        """What was answered along the trace, as far as it has been walked (single-valued draws left out)."""
        return [node.answers[node.taken] for node in self._trace[: self._depth]]

    def mass(self):
        """Probability of the trace just run (a Fraction if every choice had Fraction probabilities)."""
        total = 1
        for node in self._trace:
            total = total * node.mass()
        return total

    def advance(self) -> bool:
        """Move to the next trace; False when all have been run."""
        if self._depth < len(self._trace):
            raise ValueError(OTHER_SOURCE)
        while self._trace:
            if self._trace[-1].step():
                return True
            self._trace.pop()
        return False

    def categorical(self, p) -> int:
        p = as_array(p)
        node = self._replayed()
        if node is None or node.key != _key(p):  # a row that was checked when it was first met is not again
            _check_row(p)
            support = np.flatnonzero(p > 0).tolist()
            node = self._branch(_key(p), support, p[support].tolist())
        self._depth += node.splits
        return node.answers[node.taken]

    def bernoulli(self, a) -> bool:
        a = _check_probability(a)
        if a == 0 or a == 1:
            return bool(a)
        node = self._replayed()
        if node is None or node.key != (a,):
            node = self._branch((a,), (True, False), (a, 1 - a))
        self._depth += 1
        return node.answers[node.taken]

    def uniform(self, shape=None):
        if shape is None:
            return LazyUniform(self.bernoulli)
        lazies = np.empty(int(np.prod(shape)), dtype=object)
        for i in range(len(lazies)):
            lazies[i] = LazyUniform(self.bernoulli)
        return lazies.reshape(shape)

    def _replayed(self) -> _Branching | None:
        """The choice recorded at this point of the trace, if the trace goes on past it."""
        return self._trace[self._depth] if self._depth < len(self._trace) else None

    def _branch(self, key, answers: Sequence, masses: Sequence) -> _Branching:
        """Record a new choice; one that differs from the recorded choice is an error."""
        new = _Branching(key, answers, masses)
        old = self._replayed()
        if not new.splits:
            return new
        if old is None:
            if len(self._trace) == MOST_BRANCHINGS:
                raise TooManyTraces(
                    f"a trace has more than {MOST_BRANCHINGS:,} random choices: a loop that draws until it "
                    "succeeds has infinitely many traces; bound its number of draws"
                )
            self._trace.append(new)
            return new
        if (old.answers, old.masses) != (new.answers, new.masses):
            raise ValueError(OTHER_SOURCE)
        return old


def _key(p: np.ndarray) -> bytes:
    """Identifies a row by content (for Fractions by object: an equal row is then compared in full)."""
    return p.dtype.char.encode() + p.tobytes()


class _Branching:
    """One random choice on the current trace: its answers, their masses, and the one taken."""

    __slots__ = ("answers", "key", "masses", "splits", "taken")

    def __init__(self, key, answers: Sequence, masses: Sequence):
        self.key, self.answers, self.masses = key, tuple(answers), tuple(masses)
        self.splits = len(self.answers) > 1
        self.taken = 0

    def mass(self):
        return self.masses[self.taken]

    def step(self) -> bool:
        self.taken += 1
        return self.taken < len(self.answers)


def _checked_row(p) -> np.ndarray:
    p = as_array(p)
    _check_row(p)
    return p


def _check_row(p: np.ndarray) -> None:
    if p.ndim != 1 or not len(p):
        raise ValueError(f"p must be one row of probabilities, got shape {p.shape}")
    for index in np.flatnonzero(~(p >= 0)):
        raise ValueError(f"p[{index}] = {p[index]} is not a probability")
    total = p.sum()
    if not abs(total - 1) < 1e-6:
        raise ValueError(f"p sums to {total}, not to 1")


def _check_probability(a):
    a = a.item() if hasattr(a, "item") else a  # a float32 coin must not make the whole law float32
    if not 0 <= a <= 1:
        raise ValueError(f"a = {a!r} is not a probability")
    return a
