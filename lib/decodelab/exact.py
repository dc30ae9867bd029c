"""Exact laws: run a procedure through every outcome of its random choices and add up the masses.

Two of the three ways of this book live here. **run**: `law(procedure)` walks every trace. **merge**:
`sentence_law(round)` enumerates one round a prefix and merges rounds that meet at the same prefix, so
that the law of whole sentences stays small. (The third, **closed form**, is a theorem, tested against
these two.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from decodelab.dists import check_probs
from decodelab.rng import OTHER_SOURCE, EnumeratingRng, TooManyTraces
from decodelab.tree import Prefix, Step

__all__ = ["MAX_TRACES", "SentenceLaw", "as_row", "average_law", "law", "law_tv", "sentence_law"]

MAX_TRACES = 20_000
REPEATS = 3


def law(procedure: Callable[..., Hashable], *, max_traces: int = MAX_TRACES) -> dict[Hashable, float]:
    """The exact law of `procedure(rng=...)`: a dict from each possible outcome to its probability.

    The procedure is run once a trace, that is once for each sequence of outcomes of its draws. It must
    draw only from the `rng` it is given; to catch one that does not, the first trace is run a few times
    more. Outcomes are compared by value: numpy and torch scalars count as Python numbers, lists and
    arrays as tuples. If all its rows are Fractions so are the masses.
    Errors: `TooManyTraces` beyond `max_traces`; `ValueError` if it is caught drawing from elsewhere;
    `NotEnumerable` if it does with a uniform what has no finite set of outcomes.
    **Law:** exact (way: run).
    """
    masses: dict[Hashable, float] = {}
    rng = EnumeratingRng()
    _repeat(procedure, rng)
    for _ in range(max_traces):
        rng.start()
        outcome = canonical(procedure(rng=rng))
        masses[outcome] = masses.get(outcome, 0) + rng.mass()
        if not rng.advance():
            return masses
    raise TooManyTraces(
        f"the procedure has more than max_traces = {max_traces} traces; draw less, or merge rounds"
    )


def _repeat(procedure, rng: EnumeratingRng) -> None:
    """Run the first trace REPEATS times: other answers to the same draws betray another source."""
    answers = []
    for _ in range(REPEATS):
        rng.start()
        answers.append(canonical(procedure(rng=rng)))
    if any(answer != answers[0] for answer in answers):
        raise ValueError(f"the procedure gave different answers to the same draws: {answers}. {OTHER_SOURCE}")


@dataclass(frozen=True)
class SentenceLaw:
    """The law of whole sentences and what one sentence costs on average.

    `probs` maps each complete sentence to its probability; `illegal` is the mass absorbed at a first
    illegal token, `unfinished` the mass that the token budget stopped. `tokens`, `calls` (rounds),
    `drafted` and `accepted` are expectations a sentence, counted up to the end or the absorption.
    """

    probs: dict[Prefix, float]
    illegal: float
    unfinished: float
    tokens: float
    calls: float
    drafted: float
    accepted: float

    @property
    def tokens_per_call(self) -> float:
        """Expected tokens a sentence over expected rounds a sentence."""
        return self.tokens / self.calls


def sentence_law(
    round: Callable[..., Step],
    *,
    end: int = 0,
    legal: Callable[[Prefix], bool] | None = None,
    max_tokens: int | None = None,
    max_traces: int = MAX_TRACES,
) -> SentenceLaw:
    """The exact law of the sentences written by repeating `round(prefix, rng=...) -> Step` until `end`.

    `legal(prefix)` says whether a language allows the prefix: at the first token that makes it false the
    sentence is absorbed in one illegal class and counting stops. `max_tokens` bounds a sentence.
    Errors: those of `law`; `ValueError` for a round that emits nothing, or for rounds that never end
    (sentences longer than 1,000 tokens without `max_tokens`).
    **Law:** exact (way: merge; a round depends on the prefix alone, so equal prefixes may be merged).
    """
    tally = _Tally(end, legal, max_tokens)
    waiting: dict[int, dict[Prefix, float]] = defaultdict(dict)  # by length: a round only makes it longer
    waiting[0][()] = 1
    length = 0
    while waiting:
        for prefix, mass in waiting.pop(length, {}).items():
            for step, chance in _round_law(round, prefix, max_traces).items():
                grown, share = tally.add(prefix, step, mass * chance)
                if share:
                    level = waiting[len(grown)]
                    level[grown] = level.get(grown, 0) + share
        length += 1
        if length > 1000 and max_tokens is None:
            raise ValueError("round: sentences grew past 1,000 tokens; give max_tokens")
    return tally.result()


def _round_law(round, prefix: Prefix, max_traces: int) -> dict[Step, float]:
    steps = law(lambda *, rng: round(prefix, rng=rng), max_traces=max_traces)
    for step in steps:
        if not isinstance(step, Step) or not step.tokens:
            raise ValueError(
                f"round({prefix}) returned {step!r}; it must return a Step with at least one token"
            )
    return steps


class _Tally:
    """Where sentences go when they end, and the running expectations."""

    def __init__(self, end, legal, max_tokens):
        self.end, self.legal, self.max_tokens = end, legal, max_tokens
        self.probs: dict[Prefix, float] = {}
        self.illegal = self.unfinished = self.tokens = self.calls = self.drafted = self.accepted = 0

    def add(self, prefix: Prefix, step: Step, mass) -> tuple[Prefix, float]:
        """Book one step; return the prefix it leads to and the mass still to go on from there."""
        room = None if self.max_tokens is None else self.max_tokens - len(prefix)
        step = step.cut(end=self.end, room=room)
        lawful = self._lawful(prefix, step)
        step = step.cut(end=None, room=lawful + 1)
        grown = (*prefix, *step.tokens)
        self.calls += mass
        self.tokens += mass * len(step.tokens)
        self.drafted += mass * step.drafted
        self.accepted += mass * step.accepted
        if lawful < len(step.tokens):
            self.illegal += mass
        elif step.tokens[-1] == self.end:
            self.probs[grown] = self.probs.get(grown, 0) + mass
        elif len(grown) == self.max_tokens:
            self.unfinished += mass
        else:
            return grown, mass
        return grown, 0

    def _lawful(self, prefix: Prefix, step: Step) -> int:
        """How many tokens of the step come before its first illegal one."""
        if self.legal is None:
            return len(step.tokens)
        for i in range(len(step.tokens)):
            if not self.legal((*prefix, *step.tokens[: i + 1])):
                return i
        return len(step.tokens)

    def result(self) -> SentenceLaw:
        return SentenceLaw(
            self.probs, self.illegal, self.unfinished, self.tokens, self.calls, self.drafted, self.accepted
        )


def law_tv(first: Mapping[Hashable, float], second: Mapping[Hashable, float]):
    """Total variation distance between two laws given as dicts; an outcome that is missing has mass 0."""
    outcomes = dict.fromkeys([*first, *second])
    return sum(abs(first.get(o, 0) - second.get(o, 0)) for o in outcomes) / 2


def as_row(masses: Mapping[int, float], vocab_size: int) -> np.ndarray:
    """A law over token ids as a row (V,).

    Errors: `ValueError` for an outcome that is not an id in [0, vocab_size).
    """
    row = np.zeros(vocab_size, dtype=object)
    for token, mass in masses.items():
        if not isinstance(token, int) or not 0 <= token < vocab_size:
            raise ValueError(f"outcome {token!r} is not a token id in [0, {vocab_size})")
        row[token] = mass
    return row if not any(isinstance(mass, float) for mass in masses.values()) else row.astype(np.float64)


def average_law(values, masses, n: int, *, cell: float = 1e-3) -> tuple[np.ndarray, np.ndarray]:
    """The law of the average of n independent draws of a real number that takes few values.

    `values` (K,) are taken with `masses` (K,), and are first rounded to a grid of width `cell`, which moves
    an average by at most cell / 2. Returns the possible averages and their probabilities, both (M,).
    Errors: `ValueError` for n < 1 or masses that are no law.
    **Law:** exact on the grid, up to about 1e-15 a cell of rounding (way: closed form, n-fold convolution).
    """
    from scipy.signal import fftconvolve  # slow to import, and only needed here

    if n < 1:
        raise ValueError(f"n must be at least 1, got {n}")
    masses = check_probs(masses, "masses").astype(np.float64)
    ticks = np.rint(np.asarray(values, dtype=np.float64) / cell).astype(int)
    low = ticks.min()
    single = np.bincount(ticks - low, weights=masses)
    total = np.ones(1)
    for bit in bin(n)[2:]:  # double and add, as for a power
        total = fftconvolve(total, total)
        total = fftconvolve(total, single) if bit == "1" else total
    return (low * n + np.arange(len(total))) * cell / n, np.maximum(total, 0)


def canonical(outcome):
    """`outcome` as a hashable Python value, so that equal answers of different types are one outcome."""
    if isinstance(outcome, list | tuple):
        return tuple(canonical(item) for item in outcome)
    if hasattr(outcome, "tolist"):  # numpy and torch arrays and scalars
        return canonical(outcome.tolist())
    hash(outcome)
    return outcome
