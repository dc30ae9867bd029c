"""The way *run*: every trace of a procedure, and what to do with the law that comes out."""

from __future__ import annotations

import types
from collections.abc import Callable, Hashable, Iterator, Mapping
from numbers import Integral

import numpy as np

from decodelab.dists import check_probs
from decodelab.lazy import LazyUniform
from decodelab.rng import OTHER_SOURCE, EnumeratingRng, TooManyTraces

MAX_TRACES = 20_000
SHOWN = 40  # draws in a note to an error
REPEATED, REPEATS = 20, 3  # so many first traces are run so often, to catch a second source of randomness


def law(procedure: Callable[..., Hashable], *, max_traces: int = MAX_TRACES) -> dict[Hashable, float]:
    """The exact law of `procedure(rng=...)`: a dict from each possible outcome to its probability.

    The procedure is run once a trace, that is once for each sequence of outcomes of its draws. It must draw
    only from the `rng` it is given. The first traces are run again, and a procedure that answers otherwise is
    refused; one whose own generator repeats itself cannot be told. Outcomes are compared by value: numpy and
    torch scalars count as Python numbers, lists and arrays as tuples. If all its rows are Fractions so are
    the masses.
    Errors: `TooManyTraces` beyond `max_traces`, or for a trace of more than 1,000 random choices;
    `ValueError` if it is caught drawing from elsewhere; `TypeError` for an outcome that is no value;
    `NotEnumerable` if it does with a uniform what has no finite set of outcomes. An error of the procedure
    itself carries a note with the draws that led to it.
    **Law:** exact (way: run).
    """
    return enumerate_traces(procedure, max_traces, REPEATED)


def enumerate_traces(procedure, max_traces: int, repeated: int) -> dict[Hashable, float]:
    """`law`, with the number of traces that are repeated."""
    masses: dict[Hashable, float] = {}
    rng = EnumeratingRng()
    for number in range(max_traces):
        outcome = _run(procedure, rng)
        if number < repeated:
            _repeat(procedure, rng, outcome)
        masses[outcome] = masses.get(outcome, 0) + rng.mass()
        if not rng.advance():
            return masses
    raise TooManyTraces(
        f"the procedure has more than max_traces = {max_traces} traces; draw less, or merge rounds"
    )


def _run(procedure, rng: EnumeratingRng):
    rng.start()
    try:
        return canonical(procedure(rng=rng))
    except Exception as error:
        drawn = rng.answers()
        rest = f" and {len(drawn) - SHOWN:,} more" if len(drawn) > SHOWN else ""
        error.add_note(f"in the trace of draws {drawn[:SHOWN]}{rest}")
        raise


def _repeat(procedure, rng: EnumeratingRng, outcome) -> None:
    for _ in range(REPEATS - 1):
        again = _run(procedure, rng)
        if again != outcome:
            raise ValueError(f"the same draws gave {outcome!r} and then {again!r}: {OTHER_SOURCE}")


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
        if isinstance(token, bool) or not isinstance(token, Integral) or not 0 <= token < vocab_size:
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
    if isinstance(outcome, LazyUniform):
        raise TypeError(
            "the outcome is a uniform, which has infinitely many values; compare it with a number"
        )
    if isinstance(outcome, dict | set | types.GeneratorType | Iterator):
        raise TypeError(f"the outcome is a {type(outcome).__name__}; return a tuple of its items")
    if outcome != outcome:
        raise TypeError("the outcome is NaN, which equals nothing")
    hash(outcome)
    return outcome
