"""Checks of set 06 about numbers: tokens a round, the length that pays best, a draft of one's own."""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import NamedTuple

from decodelab.grading._cases import same_numbers, same_own
from decodelab.grading._checks import (
    TOLERANCE,
    as_number,
    call,
    must_raise,
    need_function,
    show,
)
from decodelab.grading._named import partly
from decodelab.grading.student import student_number

__all__ = ["Draft", "best_gamma", "best_speed", "drafts", "expected_tokens", "speed_slips", "your_draft"]


# --- tokens a round --------------------------------------------------------------------------------------

_EXPECTED = ((0.8, 4), (0.75, 5), (0.5, 1), (0.9, 10), (0.8, 8), (0.3, 0), (0.9995, 300))
_LIMITS = ((0.0, 4), (0.0, 0), (1.0, 4), (1.0, 8))


def expected_tokens(answer) -> str:
    """1 + alpha + ... + alpha^gamma, with both limits."""
    need_function(answer, "expected_tokens")
    slips = {
        "the target adds a token of its own to the accepted ones": lambda a, g: _tokens(a, g) - 1,
        "that is the accepted share of the drafts": lambda a, g: (_tokens(a, g) - 1) / max(g, 1),
        "the first rejection ends the round, so it is less than alpha gamma + 1": lambda a, g: a * g + 1,
        "the first rejection ends the round, so fewer than alpha gamma are kept": lambda a, g: a * g,
        "there are gamma + 1 powers, from 0 to gamma": lambda a, g: _tokens(a, g - 1),
        "that is for rounds without end": lambda a, g: 1 / (1 - a),
        "that is for one draft more": lambda a, g: _tokens(a, g + 1),
    }
    _numbers(answer, _EXPECTED, _tokens, slips)
    partly(0.5, _numbers, answer, _LIMITS, _tokens, {})
    return f"the mean agrees in {len(_EXPECTED) + len(_LIMITS)} cases, both limits included ({TOLERANCE})"


def _tokens(alpha: float, gamma: int) -> float:
    return math.fsum(alpha**i for i in range(gamma + 1))


def _numbers(answer, cases, right, slips, names=("alpha", "gamma")) -> None:
    abouts = [f"for {names[0]} = {show(a)} and {names[1]} = {show(b)}" for a, b in cases]
    values = [
        as_number(call(answer, *case, about=about), f"{about} the answer")
        for case, about in zip(cases, abouts, strict=True)
    ]
    wrong = {clause: [f(*case) for case in cases] for clause, f in slips.items()}
    same_numbers(values, [right(*case) for case in cases], abouts, wrong)


# --- the best length -------------------------------------------------------------------------------------

_COSTS = (
    (0.5, 0.1),
    (0.7, 0.1),
    (0.85, 0.1),
    (0.5, 0.05),
    (0.85, 0.05),
    (0.8, 0.1),
    (0.9, 0.02),
    (0.3, 0.5),
    (0.0, 0.1),
    (0.99, 0.001),
    (0.32, 0.3),  # a formula for real lengths, rounded, gives 0 here
    (0.36, 0.1),
    (0.995, 0.0005),
)
_TIES = ((0.5, 0.5), (0.0, 0.0))  # the speed-up is 1 for both 0 and 1, and 1 for every length


def best_gamma(answer) -> str:
    """The length of the greatest speed-up; 0 where drafting does not pay, none where drafts are free."""
    need_function(answer, "best_gamma")
    slips = {
        "no drafts at all is allowed, and better there": lambda a, c: max(1, _best(a, lambda g: g * c + 1)),
        "your search ends too early": lambda a, c: min(16, _best(a, lambda g: g * c + 1)),
        "your search ends too early, a good cheap draft wants long blocks": lambda a, c: min(
            100, _best(a, lambda g: g * c + 1)
        ),
        "that is the speed-up, the length is wanted": lambda a, c: _speed(a, lambda g: g * c + 1),
        "that is one too many": lambda a, c: _best(a, lambda g: g * c + 1) + 1,
        "that is one too few": lambda a, c: _best(a, lambda g: g * c + 1) - 1,
        "the target's own token counts too": lambda a, c: max(
            range(2000), key=lambda g: (_quick(a, g) - 1) / (g * c + 1)
        ),
    }
    _numbers(answer, _COSTS, lambda a, c: _best(a, lambda g: g * c + 1), slips, ("alpha", "c"))
    ties = {"of equal lengths the smallest is wanted": lambda a, c: 1}
    partly(0.75, _numbers, answer, _TIES[:1], lambda a, c: 0, ties, ("alpha", "c"))
    partly(0.75, _numbers, answer, _TIES[1:], lambda a, c: 0, {}, ("alpha", "c"))
    must_raise(answer, 0.8, 0.0, kind=ValueError, about="for alpha = .8 and c = 0", credit=0.75)
    return f"the length agrees in {len(_COSTS) + len(_TIES)} cases, and c = 0 is refused"


def _quick(alpha: float, gamma: int) -> float:
    return (1 - alpha ** (gamma + 1)) / (1 - alpha)


def _best(alpha: float, seconds) -> int:
    return max(range(2000), key=lambda g: _quick(alpha, g) / seconds(g))


def _speed(alpha: float, seconds) -> float:
    gamma = _best(alpha, seconds)
    return _quick(alpha, gamma) / seconds(gamma)


# --- a draft of one's own ------------------------------------------------------------------------------


class Draft(NamedTuple):
    """A draft's acceptance, its cost, and what each drafted token adds to the verification."""

    alpha: float
    c: float
    w: float


def _told_apart(draft: Draft) -> bool:
    right, slips = speed_slips(draft)
    values = sorted([right, *slips.values()])
    return all(b - a > 1e-3 * abs(b) for a, b in itertools.pairwise(values))


@cache
def drafts() -> tuple[Draft, ...]:
    """The drafts that an id may get: those on which no usual mistake gives the right number."""
    alphas, costs, shares = (
        (0.65, 0.7, 0.75, 0.8, 0.85, 0.9),
        (0.02, 0.03, 0.05, 0.08),
        (0.02, 0.04, 0.06, 0.1),
    )
    grid = itertools.starmap(Draft, itertools.product(alphas, costs, shares))
    return tuple(draft for draft in grid if _told_apart(draft))


def your_draft(student: str) -> Draft:
    """The draft that belongs to a student's id."""
    return drafts()[student_number(student, "ex06.draft", len(drafts()))]


def best_speed(answer, *, student: str) -> str:
    """The greatest speed-up of the student's draft."""
    right, slips = speed_slips(your_draft(student))
    value = as_number(answer, "best_speed")
    same_own(value, right, given=f"best_speed = {value!r}", slips=slips)
    return f"your draft gives a speed-up of {show(right)} at best ({TOLERANCE})"


@cache
def speed_slips(draft: Draft) -> tuple[float, dict[str, float]]:
    """The greatest speed-up, and what typical mistakes give."""
    alpha, c, w = draft

    def seconds(g):
        return g * c + 1 + w * g

    gamma, free = _best(alpha, seconds), _best(alpha, lambda g: g * c + 1)
    right = _quick(alpha, gamma) / seconds(gamma)
    accepted = max((_quick(alpha, g) - 1) / seconds(g) for g in range(200))
    return right, {
        "that takes every verification to cost 1": _speed(alpha, lambda g: g * c + 1),
        "that is at the length which is best where every verification costs 1": (
            _quick(alpha, free) / seconds(free)
        ),
        "you do not pay for the drafts": _speed(alpha, lambda g: 1 + w * g),
        "that leaves out the token that the target adds": accepted,
        "that is the length, not the speed-up": float(gamma),
        "that is tokens a round, not the speed-up": _quick(alpha, gamma),
        "that is the time, not the speed: turn the fraction over": 1 / right,
        "that multiplies v with the drafts, it is added": _speed(alpha, lambda g: (g * c + 1) * (1 + w * g)),
    }
