"""`audit(rule)`: does somebody's code for accepting and resampling keep the target's distribution?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import prod

import numpy as np

from decodelab import drafters
from decodelab.dists import normalise
from decodelab.exact.edges import edge_findings
from decodelab.exact.enumerated import Witness, enumerated_all
from decodelab.exact.report import Audit, Case, Counts, error_text, number
from decodelab.exact.rounds import Seen, Setting
from decodelab.exact.sampled import sampled, seen_at
from decodelab.lazy import NotEnumerable
from decodelab.models import LM, TableLM, Warped, random_lm, random_pairs
from decodelab.rng import Rng, TooManyTraces

CUTOFF = 1e-6  # the chance that sampling blames a right rule, over all cases
SAMPLED_CASES = 4  # of the built-in ones, and one with draft = target
MOST_TEXTS = 100_000  # of a case: the target's law of them is written out
DENSE_PAIRS, RANDOM_PAIRS, FLAT_PAIRS = 4, 10, 2  # dense rows show most faults, rows with zeros the others

RUNNING = ((5, 3, 2), (2, 5, 3))
TWO_LEFT = ((2, 12, 6), (8, 7, 5))  # a residual of two tokens, .25 and .05: noise that is shared shows here
FOUR = ((8, 6, 4, 2), (1, 2, 7, 10))  # the residual of a single token, in place of a block's, shows here
WIDE = ((5000, 3000, 1500, 295, 105, 100), (1000, 1000, 1000, 290, 100, 6610))  # five left, two of them rare
CLOSE = ((500, 300, 200), (490, 305, 205))  # hardly anything is rejected
ZEROS = [((6, 4, 0), (2, 3, 5)), ((0, 6, 4), (5, 2, 3)), ((4, 0, 6), (3, 5, 2)), ((6, 4, 0), (0, 0, 1))]


def audit(
    rule: Callable,
    *,
    drafter: Callable = drafters.chain,
    shape: int | Sequence[int] = 2,
    pairs: Sequence[tuple[LM, LM]] | None = None,
    samples: int = 10_000,
    rng: Rng,
) -> Audit:
    """Report whether `rule(p, draft, *, rng) -> (path, token)` keeps the target's distribution.

    The rule is run through every outcome of its draws, in Fractions where it can; one that compares uniforms
    runs on lazy ones; one that does anything else with them is sampled, `samples` rounds a case, and the
    verdict says so. What the rule raises is reported, not raised.
    `drafter(lm, shape, start=..., end=...)` makes the drafter, so that rows it records wrongly show as well:
    `shape` is the gamma of `drafters.chain`, or the widths of a tree. `pairs` are (target, draft) models to
    try in place of the built-in ones: constant rows with residuals of one, two and five tokens, rare tokens,
    p close to q, zeros and disjoint supports, and random context-dependent models drawn from `rng`, with
    ties and p = q. What depends on the random ones may depend on `rng`. Sampling takes the first four and
    one with p = q, or all of `pairs`. A fault that needs a longer draft than `shape` is not found.
    Compared are the texts of one token more than the draft is deep: a round, and then the target itself. If
    their law is right after every prefix, so is that of repeated rounds. Code of another shape is wrapped
    first: `from_rows`, `from_random`, `from_uniforms`, `from_torch`.
    Errors: `ValueError` for a shape without drafted tokens, samples below 1, an `rng` that is no source,
    `pairs` that are none or have more than 100,000 texts (their tokens to the power of the length).
    **Law:** exact (way: run, or lazy uniforms), or statistical and named so: chi-square at a level of 1e-6.
    """
    widths = _checked(shape, samples, rng)
    if pairs is not None:
        _check_pairs(pairs, len(widths) + 1)
    make = partial(_make_drafter, drafter, shape)
    settings = _settings(_pairs(widths, rng) if pairs is None else pairs, make, len(widths) + 1, rng)
    with np.errstate(all="ignore"):  # code that divides first and chooses afterwards is not at fault
        try:
            return _enumerated_audit(rule, settings, widths)
        except (NotEnumerable, TooManyTraces) as reason:
            few = [one.in_floats() for one in (_few(settings) if pairs is None else settings)]
            return _sampled_audit(rule, few, widths, samples, reason, rng=rng)


def _checked(shape, samples: int, rng) -> tuple[int, ...]:
    """`shape` as widths, once the arguments have been looked at."""
    widths = (1,) * shape if isinstance(shape, int) else shape
    if isinstance(shape, str | float) or not all(isinstance(width, int) and width > 0 for width in widths):
        raise ValueError(f"shape must be a number of drafted tokens, or the widths of a tree, got {shape!r}")
    if not widths:
        raise ValueError(f"shape must hold at least one drafted token, got {shape!r}")
    if 2 ** (len(widths) + 1) > MOST_TEXTS:
        raise ValueError(f"shape = {shape!r} is too deep: texts of {len(widths) + 1} tokens are compared")
    if not isinstance(samples, int) or samples < 1:
        raise ValueError(f"samples must be a whole number of at least 1, got {samples!r}")
    if not isinstance(rng, Rng):
        raise ValueError(f"rng must be a source of draws such as NumpyRng(0), got {rng!r}")
    return tuple(widths)


def _check_pairs(pairs, length: int) -> None:
    for i, pair in enumerate(pairs):
        if (
            not isinstance(pair, Sequence)
            or len(pair) != 2
            or not all(hasattr(lm, "next_probs") for lm in pair)
        ):
            raise ValueError(f"pairs[{i}] must be two models (target, draft), got {pair!r}")
        target, draft = pair
        if target.vocab_size != draft.vocab_size:
            sizes = f"{target.vocab_size} and {draft.vocab_size}"
            raise ValueError(f"pairs[{i}]: target and draft must share one vocabulary, got {sizes} tokens")
        if target.vocab_size**length > MOST_TEXTS:
            raise ValueError(
                f"pairs[{i}] has {target.vocab_size} tokens, so {target.vocab_size}^{length} texts: "
                "give models with fewer tokens, or a smaller shape"
            )


def _make_drafter(drafter: Callable, shape, lm: LM):
    return drafter(lm, shape, start=0, end=None)


# --- the cases -----------------------------------------------------------------------------------------


def _pairs(widths: Sequence[int], rng: Rng) -> list[tuple[LM, LM]]:
    """The built-in pairs; a large draft has too many outcomes for the larger vocabularies."""
    nodes = sum(prod(widths[: depth + 1]) for depth in range(len(widths)))
    size, depth = 3 if nodes <= 4 else 2, len(widths) + 1
    known = [RUNNING, TWO_LEFT, ZEROS[0]][: 3 if nodes <= 4 else 1]
    more = [FOUR, WIDE, CLOSE, *ZEROS[1:]] if nodes <= 3 else [CLOSE, *ZEROS[1:]] if nodes == 4 else []
    dense = [[random_lm(size, depth, rng=rng, kinds=("dense",)) for _ in "pq"] for _ in range(DENSE_PAIRS)]
    random = random_pairs(RANDOM_PAIRS, size, depth, rng=rng)
    flat = [(Warped(target, _flat), Warped(draft, _flat)) for target, draft in random[:FLAT_PAIRS]]
    constant = [[_constant(*rows) for rows in group] for group in (known, more)]
    return [*constant[0], *dense, *random, *flat, *constant[1]]


def _constant(*weights) -> tuple[LM, LM]:
    target, draft = (np.array([Fraction(w, sum(row)) for w in row], dtype=object) for row in weights)
    return TableLM({}, default=target), TableLM({}, default=draft)


def _flat(row):
    """All possible tokens alike: nothing but ties."""
    return normalise(np.where(row > 0, row * 0 + 1, row))


def _settings(pairs, make, length: int, rng: Rng) -> list[Setting]:
    """One setting a pair; every other one starts after a committed token."""
    if not pairs:
        raise ValueError("pairs is empty: give at least one (target, draft)")
    settings = []
    for i, (target, draft) in enumerate(pairs):
        size = target.vocab_size
        prefix = (rng.categorical(np.full(size, 1 / size)),) if i % 2 else ()
        settings.append(Setting(target, draft, prefix, make, length))
    return settings


# --- the verdict ---------------------------------------------------------------------------------------


def _enumerated_audit(rule: Callable, settings: Sequence[Setting], widths: Sequence[int]) -> Audit:
    witness = Witness()
    try:
        seen = enumerated_all(rule, settings, witness)
    except (NotEnumerable, TooManyTraces):
        raise
    except Exception as error:
        return Audit(False, witness.way, error=_told(error))
    return _audit_of(seen, witness.way, edge_findings(rule, widths))


def _sampled_audit(rule, settings, widths, samples: int, reason: Exception, *, rng: Rng) -> Audit:
    cutoff = CUTOFF / len(settings)
    try:
        seen = [sampled(setting, rule, samples, cutoff, rng=rng) for setting in settings]
    except Exception as error:
        return Audit(False, "statistical", error=_told(error), notes=(f"not enumerable: {reason}",))
    sees = max(seen_at(setting, samples, cutoff) for setting in settings)
    if math.isnan(sees):
        few = (
            f"{samples:,} samples are too few for rows of {max(s.target.vocab_size for s in settings)} tokens"
        )
        return Audit(False, "statistical", error=few, notes=(f"not enumerable: {reason}",))
    findings, untried = edge_findings(rule, widths)
    notes = (
        f"not enumerable: {reason}",
        f"{samples:,} rounds in each of {len(settings)} cases, chi-squares at a level of {CUTOFF:g} over all "
        f"of them: a total variation of {number(sees)} in the law of one token is seen with a chance of at "
        "least 1/2",
        *untried,
    )
    return _audit_of(seen, "statistical", (findings, notes), samples)


def _few(settings: Sequence[Setting]) -> list[Setting]:
    """The first settings and one where the draft model is the target: samples are dear."""
    own = [setting for setting in settings[SAMPLED_CASES:] if setting.own]
    return [*settings[:SAMPLED_CASES], *own[:1]]


def _audit_of(seen: Sequence[Seen], way: str, ends: tuple, samples: int = 0) -> Audit:
    faulty = [one for one in seen if one.differs]
    worst = max(faulty or seen, key=lambda one: one.tv)
    shown = seen[0] if seen[0].differs else worst  # the first pair is the one that readers know
    findings, notes = ends
    return Audit(
        not faulty,
        way,
        worst.tv,
        len(seen),
        Case.of(seen.index(shown), shown) if faulty else None,
        edges=(*findings, *[one.rare[0] for one in seen if one.rare][:1]),
        counts=Counts.of(seen, samples),
        notes=notes,
    )


def _told(error: Exception) -> str:
    """An error with its draws and rows."""
    notes = ", ".join(dict.fromkeys(getattr(error, "__notes__", ())))
    return f"{error_text(error)} ({notes})" if notes else error_text(error)
