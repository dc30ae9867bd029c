"""Checks of set 06 on three black boxes that write two tokens: which one is broken, and how far it is off."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from decodelab import exact
from decodelab.grading._cases import NOT_RIGHT, same_own
from decodelab.grading._checks import TOLERANCE, as_number, fail, plain, short, show
from decodelab.grading._laws import chi_square_threshold
from decodelab.grading._one_draft import left, ratio
from decodelab.grading.student import student_number
from decodelab.tree import Prefix

__all__ = [
    "Boxes",
    "Fault",
    "box_slips",
    "broken",
    "fault_of",
    "laws_of",
    "sample_slips",
    "samples",
    "your_boxes",
]

Rows = dict[Prefix, list[float]]
TOKENS, CUT_OFF, NEAR = 3, 1e-6, 1e-3
SMALL = 0.003, 0.006  # the total variation of a fault: 5,000 samples hardly show it


class Boxes(NamedTuple):
    """Procedures that write two tokens, `box(rng=rng)`, and the target's rows by prefix, () and (x,)."""

    target: dict[Prefix, np.ndarray]
    A: Callable
    B: Callable
    C: Callable


class Fault(NamedTuple):
    """Which box is broken and how, and the rows of target and draft."""

    letter: str
    kind: str
    p: Rows
    q: Rows


# --- boxes -----------------------------------------------------------------------------------------------


def _draw(row, rng) -> int:
    return int(rng.categorical(np.array(row)))


def _kept(p, q, x: int, rng) -> bool:
    return rng.bernoulli(ratio(p, q, x))


def _matching(p: Rows, q: Rows) -> Callable:
    """Sample and match: exact, whatever the draft."""

    def box(*, rng) -> Prefix:
        first = _draw(p[()], rng)
        return first, _draw(p[first,], rng)

    return box


def _second_drafted(p: Rows, q: Rows) -> Callable:
    """A token of the target, then one draft: the same law in another order."""

    def box(*, rng) -> Prefix:
        first = _draw(p[()], rng)
        x = _draw(q[first,], rng)
        return first, x if _kept(p[first,], q[first,], x, rng) else _draw(left(p[first,], q[first,]), rng)

    return box


def _bonus(p: Rows, q: Rows) -> Callable:
    """One draft; if it is kept, the draft model writes the token after it."""

    def box(*, rng) -> Prefix:
        x = _draw(q[()], rng)
        if _kept(p[()], q[()], x, rng):
            return x, _draw(q[x,], rng)
        first = _draw(left(p[()], q[()]), rng)
        return first, _draw(p[first,], rng)

    return box


def _rollback(p: Rows, q: Rows) -> Callable:
    """One draft; if it is rejected, the next row is still the one after it."""

    def box(*, rng) -> Prefix:
        x = _draw(q[()], rng)
        first = x if _kept(p[()], q[()], x, rng) else _draw(left(p[()], q[()]), rng)
        return first, _draw(p[x,], rng)

    return box


def _resample(p: Rows, q: Rows) -> Callable:
    """The second token drafted, and replaced from the target's row in place of the residual."""

    def box(*, rng) -> Prefix:
        first = _draw(p[()], rng)
        x = _draw(q[first,], rng)
        return first, x if _kept(p[first,], q[first,], x, rng) else _draw(p[first,], rng)

    return box


RIGHT = (_matching, _second_drafted)
WRONG = {"bonus": _bonus, "resample": _resample, "rollback": _rollback}
LETTERS = ("A", "B", "C")


def your_boxes(student: str) -> Boxes:
    """The three boxes that belong to a student's id, and the target that they should follow."""
    fault = fault_of(student)
    right = iter(RIGHT[:: 1 - 2 * student_number(student, "ex06.order", 2)])
    makers = {letter: WRONG[fault.kind] if letter == fault.letter else next(right) for letter in LETTERS}
    boxes = {letter: _box(maker, fault) for letter, maker in makers.items()}
    return Boxes({prefix: np.array(row) for prefix, row in fault.p.items()}, **boxes)


def _box(maker: Callable, fault: Fault) -> Callable:
    """A box that holds rows of its own, and neither the fault nor the name of its maker."""
    rows = ({prefix: list(row) for prefix, row in table.items()} for table in (fault.p, fault.q))
    box = maker(*rows)
    box.__qualname__ = "box"
    return box


# --- the fault of an id --------------------------------------------------------------------------------


@cache
def fault_of(student: str) -> Fault:
    """The fault of a student's id: small, and with numbers that no usual mistake gives."""
    seed = student_number(student, "ex06.rows", 10**6)
    letter = LETTERS[student_number(student, "ex06.box", len(LETTERS))]
    kind = list(WRONG)[student_number(student, "ex06.fault", len(WRONG))]
    while not _tells_apart(fault := _fault(letter, kind, seed)):
        seed += 1
    return fault


def _fault(letter: str, kind: str, seed: int) -> Fault:
    source = random.Random(seed)
    prefixes = [(), *((x,) for x in range(TOKENS))]
    p = {prefix: _row(source) for prefix in prefixes}
    q = {
        prefix: [0.9 * a + 0.1 * b for a, b in zip(row, _row(source), strict=True)]
        for prefix, row in p.items()
    }
    return Fault(letter, kind, p, q)


def _row(source: random.Random) -> list[float]:
    weights = [2 + int(9 * source.random()) for _ in range(TOKENS)]
    return [w / sum(weights) for w in weights]


def laws_of(fault: Fault) -> tuple[dict[Prefix, float], dict[Prefix, float]]:
    """The law of two tokens of the target, and that of the broken box."""
    texts = itertools.product(range(TOKENS), repeat=2)
    right = {(a, b): fault.p[()][a] * fault.p[a,][b] for a, b in texts}
    return right, exact.law(WRONG[fault.kind](fault.p, fault.q))


def _tells_apart(fault: Fault) -> bool:
    tv, wrong = box_slips(fault)
    if not SMALL[0] < tv < SMALL[1]:
        return False
    number, others = sample_slips(fault)
    values = (sorted([tv, *wrong.values()]), sorted([number, *others.values()]))
    return all(b - a > 5 * NEAR * abs(b) for row in values for a, b in itertools.pairwise(row))


def box_slips(fault: Fault) -> tuple[float, dict[str, float]]:
    """The total variation of the broken box from the target, and what typical mistakes give."""
    right, wrong = laws_of(fault)
    gaps = {text: abs(wrong.get(text, 0.0) - mass) for text, mass in right.items()}
    tv = sum(gaps.values()) / 2
    return tv, {
        "that is the sum of the differences, total variation is half of it": 2 * tv,
        "that is the largest difference of one text, total variation adds up": max(gaps.values()),
        "that is the mean difference of a text": sum(gaps.values()) / len(gaps),
        "that is of the first token alone, the box writes two": _first_tokens(right, wrong),
        "that is of the draft and the target": sum(
            abs(a - b) for a, b in zip(fault.p[()], fault.q[()], strict=True)
        )
        / 2,
    }


def _first_tokens(right, wrong) -> float:
    """The total variation of the first token: every fault sits in the second, so it is 0 but for rounding."""
    shift = {a: sum(wrong.get((a, b), 0.0) - right[a, b] for b in range(TOKENS)) for a in range(TOKENS)}
    return sum(map(abs, shift.values())) / 2


def sample_slips(fault: Fault) -> tuple[float, dict[str, float]]:
    """The samples that a chi-square test needs to see the fault half of the time, and some mistakes."""
    right, wrong = laws_of(fault)
    texts, tv = len(right), box_slips(fault)[0]
    shift = sum((wrong.get(text, 0.0) - mass) ** 2 / mass for text, mass in right.items())
    swapped = sum((wrong[text] - mass) ** 2 / wrong[text] for text, mass in right.items())
    needed = _needed(texts - 1, CUT_OFF) / shift
    return needed, {
        "there are nine texts, so 8 degrees of freedom": _needed(texts, CUT_OFF) / shift,
        "that is for three tokens, there are nine texts": _needed(2, CUT_OFF) / shift,
        "that is for a cut-off of .05": _needed(texts - 1, 0.05) / shift,
        "the statistic starts at 8 on average, not at 0": chi_square_threshold(texts - 1, CUT_OFF) / shift,
        "the squares are divided by the target's law": _needed(texts - 1, CUT_OFF) / swapped,
        "that is 1/TV^2": 1 / tv**2,
    }


def _needed(freedom: int, cut_off: float) -> float:
    """The noncentrality at which a chi-square exceeds its threshold half of the time."""
    from scipy.special import chndtrinc

    return float(chndtrinc(chi_square_threshold(freedom, cut_off), freedom, 0.5))


# --- the checks --------------------------------------------------------------------------------------


def broken(answer, *, student: str) -> str:
    """The letter of the broken box, and its total variation from the law of two tokens of the target."""
    fault = fault_of(student)
    right, slips = box_slips(fault)
    parts = plain(answer)
    if not isinstance(parts, list) or len(parts) != 2 or not isinstance(parts[0], str):
        fail(f'broken must be a pair like ("A", .01), you give {short(answer)}')
    letter, tv = parts[0].strip().upper(), as_number(parts[1], "the total variation")
    if letter not in LETTERS:
        fail(f"the box is A, B or C, you give {short(parts[0])}")
    pair = f'the pair ("{letter}", {tv!r})'
    if letter != fault.letter:  # as for another number: else three tries would tell the letter
        fail(f"{pair} is {NOT_RIGHT}")
    same_own(tv, right, given=pair, slips=slips)
    return f"box {letter} is broken and {show(right)} off in total variation ({TOLERANCE})"


def samples(answer, *, student: str) -> str:
    """How many samples a chi-square test needs to see the fault with chance one half."""
    right, slips = sample_slips(fault_of(student))
    value = as_number(answer, "samples")
    if math.isinf(value):
        fail("samples is infinite: that is for a right box")
    if abs(value - right) > NEAR * right:
        same_own(value, right, given=f"samples = {value!r}", slips=slips)
    return f"it takes {right:,.0f} samples to see that half of the time (tolerance .1 %)"
