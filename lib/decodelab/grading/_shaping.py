"""Checks of set 03 about rows: temperature, top-p, min-p, their order, and a cooled language."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from decodelab import city, dists, exact, models
from decodelab.grading._checks import (
    TOLERANCE,
    as_number,
    as_row,
    call,
    close,
    fail,
    must_raise,
    need_function,
    plain,
    same_row,
    same_secret,
    short,
    show,
    unchanged,
)
from decodelab.grading.student import student_number

__all__ = [
    "both_orders",
    "cool",
    "min_p",
    "scene_share",
    "sentence_entropy",
    "top_p",
    "your_temperature",
]


def _row_of(answer, given, level, about: str, credit: float = 0.0) -> list[float]:
    """What the answer makes of a row and one number; the row must stay as it is."""
    array = np.array(given, dtype=np.float64)
    row = as_row(call(answer, array, level, about=about, credit=credit), len(given), f"{about} the row")
    unchanged(array, given, about)
    return row


def _normal(weights) -> list[float]:
    total = math.fsum(weights)
    return [w / total for w in weights]


# --- temperature ---------------------------------------------------------------------------------------

_COOLED = (
    ((0.5, 0.3, 0.2), (0.5, 2.0, 1.0, 0.7)),
    ((0.0, 0.4, 0.6), (0.5, 5.0)),
    ((0.1, 0.6, 0.2, 0.1), (0.25, 1e3)),
)
_FROZEN = ((0.3, 0.4, 0.3), (0.2, 0.4, 0.4), (0.0, 0.5, 0.5))
_TINY = ((0.4, 0.35, 0.25), (0.0, 0.5, 0.3, 0.2))


def cool(answer) -> str:
    """The row proportional to p^(1/T): T = 0 is one-hot, a tiny T no NaN, a negative one refused."""
    need_function(answer, "cool")
    for p, temperatures in _COOLED:
        for T in temperatures:
            about = f"for p = {p}, T = {T}"
            row = _row_of(answer, p, T, about)
            same_row(row, _cooled(p, T), about=about, slips=_cool_slips(p, T))
    for p in _TINY:
        about = f"for p = {p}, T = .001, where p^(1/T) is too small for a float,"
        same_row(_row_of(answer, p, 1e-3, about, 0.5), _cooled(p, 1e-3), about=about, slips={}, credit=0.5)
    for p in _FROZEN:
        about, right = f"for p = {p}, T = 0", [float(i == p.index(max(p))) for i in range(len(p))]
        slips = {"of equal tokens the lowest id gets all": [float(x == max(p)) / p.count(max(p)) for x in p]}
        same_row(_row_of(answer, p, 0, about, 0.5), right, about=about, slips=slips, credit=0.5)
    must_raise(answer, np.array([0.5, 0.5]), -1, kind=ValueError, about="for T = -1", credit=0.75)
    return f"the row agrees for 13 pairs of row and temperature, T = 0 and T = .001 included ({TOLERANCE})"


def _cooled(p, T) -> list[float]:
    return _normal([math.exp((math.log(x) - math.log(max(p))) / T) if x > 0 else 0.0 for x in p])


def _cool_slips(p, T) -> dict[str, list[float]]:
    return {
        "the exponent is 1/T, not T": _normal([x**T for x in p]),
        "the row is not divided by its sum": [x ** (1 / T) for x in p],
        "you take the probabilities for logits": _normal([math.exp(x / T) for x in p]),
        "you return p itself": list(p),
    }


# --- top-p ---------------------------------------------------------------------------------------------

_TAIL = (0.9, *[1e-6] * 100_000)
_NUCLEI = (  # row, mass, credit of an answer that fails here, why
    ((0.5, 0.3, 0.15, 0.05), 0.95, 0.0, ""),
    ((0.5, 0.3, 0.15, 0.05), 0.6, 0.0, ""),
    ((0.4, 0.3, 0.2, 0.1), 0.8, 0.0, ""),
    ((0.05, 0.3, 0.15, 0.5), 0.95, 0.0, ""),
    ((0.5, 0.3, 0.1, 0.05, 0.05), 0.9, 0.25, ", where three tokens have .9 exactly,"),
    ((0.5, 0.25, 0.125, 0.125), 0.75, 0.25, ", where two tokens have .75 exactly,"),
    ((0.25, 0.25, 0.25, 0.25), 0.5, 0.5, ", where all are equal,"),
    ((0.125, 0.25, 0.25, 0.375), 0.5, 0.5, ", where two are equal,"),
    ((0.2, 0.5, 0.3), 0.0, 0.5, ""),
    ((0.2, 0.5, 0.3, 0.0), 1.0, 0.5, ""),
    (_TAIL, 0.9500005, 0.75, ""),
    ((1 / 128_256,) * 128_256, 1.0, 0.75, ""),
)


def top_p(answer) -> str:
    """The shortest head of the sorted row that has at least this mass, renormalised."""
    need_function(answer, "top_p")
    for p, mass, credit, why in _NUCLEI:
        about = f"for p = {p if len(p) < 9 else f'a row of {len(p):,} tokens'}, mass = {mass}{why}"
        row = _row_of(answer, p, mass, about, credit)
        _same_nucleus(row, p, mass, about, credit)
    return f"the row agrees in {len(_NUCLEI)} cases with ties, exact sums and a tail of 100,000 ({TOLERANCE})"


def _same_nucleus(row, p, mass, about: str, credit: float) -> None:
    order = sorted(range(len(p)), key=lambda i: (-p[i], i))
    kept = len(p) if mass >= 1 else _head([p[i] for i in order], mass)
    right = _kept(p, order[:kept])
    found = [i for i, x in enumerate(row) if x > 0]
    keeps = f"{len(found):,} tokens" if len(p) > 8 else f"the tokens {found}"
    if len(p) > 8 and len(found) != sum(x > 0 for x in right):
        why = "running sums in single precision drift" if credit else ""
        fail(f"{about} you keep {keeps}, right are {sum(x > 0 for x in right):,}: {why}", credit)
    slips = {
        f"you keep {keeps}: the token that crosses the bound stays": _kept(p, order[: max(kept - 1, 0)]),
        f"you keep {keeps}: the mass is reached before the last of them": _kept(p, order[: kept + 1]),
        f"you keep {keeps}: that is the mass left out, not the mass kept": _kept(
            p, order[: _head(p, 1 - mass)]
        ),
        "the kept tokens are not divided by their mass": [p[i] * (right[i] > 0) for i in range(len(p))],
        f"you keep {keeps}: no token may be left out": [0.0] * len(p),
        f"you keep {keeps}: of equal tokens the lower id stays": _kept(
            p, sorted(range(len(p)), key=lambda i: (-p[i], -i))[:kept]
        ),
    }
    slips = {clause: wrong for clause, wrong in slips.items() if not all(map(close, wrong, right))}
    same_row(row, right, about=about, slips=slips, credit=credit)


def _head(ranked, mass: float) -> int:
    """How many tokens of a descending row it takes until `mass` is reached, at least one."""
    before = 0.0
    for count, x in enumerate(ranked):
        if count and before >= mass:
            return count
        before += x
    return len(ranked)


def _kept(p, tokens) -> list[float]:
    total, kept = math.fsum(p[i] for i in tokens), set(tokens)
    return [x / total if i in kept and total else 0.0 for i, x in enumerate(p)]


# --- min-p ----------------------------------------------------------------------------------------------

_MIN_P = (
    ((4.0, 2.0, 0.0), 0.2),
    ((-1.0, -5.0), 0.5),
    ((-1.0, -1.5, -4.0), 0.5),
    ((1.0, 1.0, 0.0), 1.0),
    ((0.0, -math.inf, -3.0), 0.0),
    ((1000.0, 999.0, 990.0), 0.1),
    ((2.0, 1.9, 1.8, 1.7, 1.6), 0.5),
)


def min_p(answer) -> str:
    """Keep what is at least `ratio` times as probable as the likeliest token, renormalised."""
    need_function(answer, "min_p")
    for logits, ratio in _MIN_P:
        about = f"for logits {logits}, ratio = {ratio}"
        p = _normal([math.exp(z - max(logits)) for z in logits])
        right = _kept(p, [i for i, x in enumerate(p) if x >= ratio * max(p)])
        slips = {
            "the ratio is one of probabilities, not of logits": _kept(
                p, [i for i, z in enumerate(logits) if z >= ratio * max(logits)]
            ),
            "the bound is relative to the likeliest token": _kept(
                p, [i for i, x in enumerate(p) if x >= ratio]
            ),
            "the kept tokens are not divided by their mass": [
                x * (r > 0) for x, r in zip(p, right, strict=True)
            ],
            "you return the softmax: nothing is cut": p,
        }
        slips = {clause: wrong for clause, wrong in slips.items() if not all(map(close, wrong, right))}
        same_row(_row_of(answer, logits, ratio, about), right, about=about, slips=slips)
    return f"the row agrees in {len(_MIN_P)} cases ({TOLERANCE})"


# --- the order of two maps --------------------------------------------------------------------------------

_ORDERS = (((3.0, 2.0, 1.0), 0.5, 0.8), ((2.0, 1.0, 0.0, -1.0), 2.0, 0.75), ((1.0, 3.0, 2.5, 0.0), 1.5, 0.85))


def both_orders(answer) -> str:
    """The row of temperature before top-p, and the row of top-p before temperature."""
    need_function(answer, "both_orders")
    for logits, T, mass in _ORDERS:
        array, about = np.array(logits), f"for logits {logits}, T = {T}, mass = {mass}"
        value = call(answer, array, T, mass, about=about)
        unchanged(array, logits, about)
        parts = value if isinstance(value, tuple) else plain(value)
        if not isinstance(parts, list | tuple) or len(parts) != 2:
            fail(f"{about} you return {short(value)}: return two rows, cooled first and cut first")
        found = [as_row(part, len(logits), f"{about} each row") for part in parts]
        p = dists.softmax(array)
        right = dists.top_p(dists.temperature(p, T), mass), dists.temperature(dists.top_p(p, mass), T)
        if all(all(map(close, mine, other)) for mine, other in zip(found, right[::-1], strict=True)):
            fail(f"{about} the two rows are swapped: first the row that is cooled first", 0.5)
        for mine, row, name, credit in zip(found, right, ("cooled", "cut"), (0.0, 0.5), strict=True):
            other = right[1] if name == "cooled" else right[0]
            slips = {
                "that is the other order": other,
                "the row does not sum to 1": row * sum(mine),
                "that is the softmax at T, nothing is cut": dists.temperature(p, T),
            }
            same_row(mine, row, about=f"{about} in the row {name} first,", slips=slips, credit=credit)
    return f"both rows agree in {len(_ORDERS)} cases ({TOLERANCE})"


# --- a cooled language ------------------------------------------------------------------------

_TEMPERATURES = tuple(t / 100 for t in range(40, 181, 5) if not 90 <= t <= 110)


def your_temperature(student: str) -> float:
    """The temperature of a student's id."""
    return _TEMPERATURES[student_number(student, "ex03.temperature", len(_TEMPERATURES))]


def sentence_entropy(answer, *, student: str) -> str:
    """The entropy of the law of sentences at the student's temperature, in nats."""
    T = your_temperature(student)
    right, value = language_at(T)[0], as_number(answer, "sentence_entropy")
    same_secret(value, right, about=f"at T = {T}", slips=language_slips(T)[0])
    return f"at T = {T} the entropy is {show(right)} nats ({TOLERANCE})"


def scene_share(answer, *, student: str) -> str:
    """The probability of a scene at the student's temperature."""
    T = your_temperature(student)
    right, value = language_at(T)[1], as_number(answer, "scene_share")
    same_secret(value, right, about=f"at T = {T}", slips=language_slips(T)[1])
    return f"at T = {T} a scene has probability {show(right)} ({TOLERANCE})"


@cache
def language_at(T: float) -> tuple[float, float]:
    """Entropy in nats and share of the scenes if every word is drawn at temperature T."""
    rows = models.tabulate(city.oracle(), city.prefixes())
    law = exact.table_law(models.map_rows(rows, lambda p: dists.temperature(p, T))).probs
    return _figures([law[s.tokens] for s in city.sentences()])


def _figures(masses) -> tuple[float, float]:
    scenes = math.fsum(m for s, m in zip(city.sentences(), masses, strict=True) if s.type == "scene")
    return -math.fsum(m * math.log(m) for m in masses), scenes


def language_slips(T: float) -> tuple[dict[str, float], dict[str, float]]:
    """Wrong answers to the two numbers, by what is wrong with them."""
    wrong = {
        "that is the language at T = 1": _figures([float(s.prob) for s in city.sentences()]),
        "that cools the law of sentences as a whole, not each word": _figures(
            _normal([float(s.prob) ** (1 / T) for s in city.sentences()])
        ),
        f"that is the language at T = 1/{T}": language_at(1 / T),
    }
    entropy, share = language_at(T)
    entropies = {clause: figures[0] for clause, figures in wrong.items()}
    shares = {clause: figures[1] for clause, figures in wrong.items()}
    entropies["that is in bits, take the natural logarithm"] = entropy / math.log(2)
    entropies["the sign is wrong, an entropy is not negative"] = -entropy
    shares["that is in percent, a probability is at most 1"] = 100 * share
    shares["that is the share of the sentences, not of their probability"] = 9000 / 9127
    return entropies, shares
