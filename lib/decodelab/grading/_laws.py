"""Comparing the exact law of an answer with the right one, however the answer draws.

An answer is run through every outcome of its draws. Where that is impossible (Gumbel-max takes the
logarithm of a uniform; rejection sampling has no last trace) it is run 20,000 times and a chi-square
test decides, with a cut-off that a right answer exceeds once in a million seeds. If the statistic is
merely high (as for one right answer in twenty) the test is made again on 100,000 fresh samples. What is
sure to be found that way is `power`; the verdict says it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping

import numpy as np

from decodelab import exact
from decodelab.grading._checks import Raised, close, difference, fail, is_foreign_draw, show
from decodelab.grading.answers import CheckFailed
from decodelab.lazy import NotEnumerable
from decodelab.rng import NumpyRng, Rng, TooManyTraces

COARSE = 500  # taken of the further cases of an answer of which one case was sampled already
SAMPLES = 20_000
MORE_SAMPLES = 100_000  # taken where the first are doubtful
CUT_OFF = 1e-6
DOUBTFUL = 0.05
RARE = 0.01  # "doubtful" of a coarse test, of which there are many
MISS = 1e-3  # "sure to be found" leaves this chance
REPEATED = 100  # runs that are made twice with one seed: an answer may depend on nothing else
SEED = 20_240_601
MAX_TRACES = 4_000
MAX_DRAWS = 200  # a trace of a small task needs a handful; a rejection loop never ends

OTHER = "your function draws from another source than rng, or remembers earlier calls"

Law = Mapping[Hashable, float]


class Frequencies(dict):
    """A law that was not found but sampled, in `runs` runs."""

    runs = 0


class Constant(CheckFailed):
    """Every run gives `outcome`, where there are others."""

    def __init__(self, outcome: Hashable):
        super().__init__(f"every run gives {outcome}: your function draws nothing from rng")
        self.outcome = outcome


def same_law(
    run: Callable[[Rng], Hashable], right: Law, compare: Callable[[Law, Law], None], *, coarse: bool = False
) -> str:
    """Fail unless `run(rng)` has the law `right`; return how that was found out.

    `run` calls the answer and returns a hashable outcome. `compare(found, right)` fails with a
    sentence of the task's own; it is asked first, with an exact law or with `Frequencies`. A `coarse`
    check that has to sample begins with few samples, and takes more only where those are doubtful.
    """
    sizes = ((COARSE,) if coarse else ()) + (SAMPLES, MORE_SAMPLES)
    asked: list[None] = []  # one entry for each request for uniforms
    try:
        found = exact.law(lambda *, rng: run(_Leash(rng, MAX_DRAWS, asked)), max_traces=MAX_TRACES)
    except (NotEnumerable, TooManyTraces):
        return _chi_square(run, right, compare, sizes)
    except Raised as failure:
        # torch, and numpy on an array of lazy uniforms, refuse them in words of their own. Real numbers
        # tell: an answer that is at fault itself raises again.
        if not asked or not isinstance(failure.error, TypeError | RuntimeError):
            raise
        return _chi_square(run, right, compare, sizes)
    except ValueError as error:
        if not is_foreign_draw(error):
            raise
        fail(OTHER)
    _same(found, right, compare)
    return "exact law over all outcomes of the draws, relative tolerance 1e-5"


def _same(found: Law, right: Law, compare) -> None:
    if all(close(found.get(o, 0.0), right.get(o, 0.0)) for o in {*found, *right}):
        return
    only = next(iter(found))
    if len(found) == 1 < len(right) and only in right:
        raise Constant(only)
    compare(found, right)
    fail(worst_outcome(found, right))


def worst_outcome(found: Law, right: Law) -> str:
    """The outcome whose mass is most wrong, in words."""
    worst = max({*found, *right}, key=lambda o: abs(found.get(o, 0.0) - right.get(o, 0.0)))
    return f"you give {worst} {difference(found.get(worst, 0.0), right.get(worst, 0.0))}"


def _chi_square(run, right: Law, compare, sizes) -> str:
    _repeats_itself(run)
    strange = False
    for number in sizes:
        counts = _sample(run, number)
        found = Frequencies({outcome: count / number for outcome, count in counts.items()})
        found.runs = number
        strange = strange or any(not right.get(outcome, 0.0) > 0 for outcome in counts)
        statistic, freedom = chi_square(counts, right)
        threshold = chi_square_threshold(freedom)
        if number > COARSE and (strange or statistic > threshold):
            compare(found, right)
            fail(f"{worst_outcome(found, right)}, chi-square {show(statistic)} > {threshold:.2f}")
        if not strange and statistic < chi_square_threshold(freedom, DOUBTFUL if number > COARSE else RARE):
            break
    return (
        f"your draws cannot be enumerated, so a chi-square test on {number:,} samples decided: "
        f"{show(statistic)} < {threshold:.2f} (df {freedom}, cut-off {CUT_OFF:g}); it is sure to find a law "
        f"that is {show(power(freedom))} off in total variation, less may slip through"
    )


def power(freedom: int) -> float:
    """The total variation from the right law that both tests find, but for a chance of `MISS` each.

    The noncentrality of n samples is n times the chi-square divergence, which is at least 4 TV^2.
    """
    from scipy.special import chndtrinc

    needed = (
        chndtrinc(chi_square_threshold(freedom, cut_off), freedom, MISS) / number
        for cut_off, number in ((DOUBTFUL, SAMPLES), (CUT_OFF, MORE_SAMPLES))
    )
    return math.ceil(1000 * math.sqrt(max(needed) / 4)) / 1000


def _repeats_itself(run) -> None:
    if _runs(run, REPEATED) != _runs(run, REPEATED):
        fail(OTHER)


def _sample(run, number: int) -> Counter:
    return Counter(_runs(run, number))


def _runs(run, number: int) -> list:
    rng = NumpyRng(SEED + number)
    try:
        return [run(_Leash(rng, 50 * MAX_DRAWS)) for _ in range(number)]
    except _EndlessDraws:
        fail(f"your function asks for more than {50 * MAX_DRAWS:,} draws and does not stop")
    except NotEnumerable as error:
        fail(f"your function raises {error}")


def chi_square(counts: Mapping[Hashable, int], right: Law) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom; outcomes expected less than 5 times share a bin."""
    total = sum(counts.values())
    bins, rare = [], [0.0, 0]
    for outcome, mass in right.items():
        if mass * total >= 5:
            bins.append((mass * total, counts.get(outcome, 0)))
        else:
            rare = [rare[0] + mass * total, rare[1] + counts.get(outcome, 0)]
    if rare[0] > 0:
        bins.append(tuple(rare))
    return float(sum((seen - due) ** 2 / due for due, seen in bins)), max(len(bins) - 1, 1)


def chi_square_threshold(freedom: int, cut_off: float = CUT_OFF) -> float:
    """The value that a chi-square with `freedom` degrees of freedom exceeds with chance `cut_off`."""
    from scipy.special import chdtri  # only the rare fallback needs scipy

    return float(chdtri(freedom, cut_off))


class _EndlessDraws(TooManyTraces):
    """One run asked for more draws than any right answer needs."""


class _Leash:
    """An `Rng` that stops a run which draws without end."""

    def __init__(self, rng: Rng, draws: int, asked: list | None = None):
        self._rng, self._left, self._asked = rng, draws, asked

    def __getattr__(self, name):
        offers = "categorical(p), bernoulli(a) and uniform(shape)"
        raise AttributeError(f"rng has {offers}; it has no {name!r}")

    def _count(self, draws: int = 1) -> None:
        self._left -= draws
        if self._left < 0:
            raise _EndlessDraws

    def categorical(self, p) -> int:
        self._count()
        return self._rng.categorical(_numpy(p))

    def bernoulli(self, a) -> bool:
        self._count()
        return self._rng.bernoulli(a.item() if hasattr(a, "item") else a)

    def uniform(self, shape=None):
        self._count(1 if shape is None else int(np.prod(shape)))
        if self._asked is not None:
            self._asked.append(None)
        return self._rng.uniform(shape)


_Leash.__name__ = _Leash.__qualname__ = "rng"  # what Python's own messages call it
for _name in ("categorical", "bernoulli", "uniform"):
    getattr(_Leash, _name).__qualname__ = f"rng.{_name}"


def _numpy(p):
    return np.asarray(p.tolist() if hasattr(p, "tolist") else p, dtype=np.float64)
