"""Naming what is wrong with a law: the laws of several cases, and the slip that gives all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from decodelab.grading._checks import Raised, as_token, close, fail, plain, short, show
from decodelab.grading._laws import COARSE, Constant, Frequencies, Law, same_law
from decodelab.grading.answers import CheckFailed
from decodelab.rng import Rng

__all__ = [
    "Alike",
    "Case",
    "agree",
    "as_flag",
    "as_verdict",
    "partly",
    "plural",
    "possible",
    "same_laws",
    "show_row",
]

Alike = Callable[[Law, Law], bool]
MOST_SAMPLED = 3  # cases that are sampled before an answer earns a part of the points: each takes a second
ABOVE_1 = re.compile(r"a = ([1-9][\d.e+]*) is not a probability")  # what rng.bernoulli says of a ratio
EPSILON = 1e-5  # a total variation that no fault of a formula has


class Case(NamedTuple):
    """A run of the answer, the law it should have, the words for it, and what it was given."""

    run: Callable[[Rng], object]
    right: Law
    about: str
    given: object = None


class _Other(CheckFailed):
    """A law that is not the right one."""

    def __init__(self, found: Law):
        super().__init__("another law")
        self.found = found


def same_laws(
    cases: Sequence[Case],
    slips: Mapping[str, Callable[[int], Law]],
    explain: Callable[[Case, Law, str, Alike], None],
) -> str:
    """Fail at the first case whose law is wrong; return in how many cases the law agrees, and by what means.

    `slips` maps a clause to the law that it gives in case number i. `explain(case, found, clause, alike)`
    fails; the clause is empty unless one slip alone gives the laws of every case that could be run. One case
    is often wrong in two ways alike: where only one token can replace a rejected one, say. `alike` says
    whether a part of `found` is right: frequencies are never equal to a law. A part of the points that it
    gives for this case is kept only if no other case loses it.
    """
    found, how = _laws(cases)
    wrong = next((i for i, law in enumerate(found) if law is not cases[i].right), None)
    if wrong is not None:
        try:
            _explain(cases[wrong], found[wrong], _name(found, slips), explain)
        except CheckFailed as failure:
            earned = failure.credit and _all_earn(cases, found, explain)
            fail(str(failure), failure.credit if earned else 0.0)
    return f"{len(how)} cases ({_said(how)})"


def _said(how: Sequence[str]) -> str:
    sampled = sorted(
        (said for said in how if "chi-square" in said), key=lambda said: f" {COARSE} samples" in said
    )
    others = f"; {COARSE} samples of each further case, more where they were doubtful" if sampled[1:] else ""
    return f"{sampled[0]}{others}" if sampled else how[0]


def _explain(case: Case, found: Law, clause: str, explain) -> None:
    """Fail, with the number of runs where the figures were sampled, and a word on the smallest of faults."""
    if isinstance(found, Frequencies):
        explain(case._replace(about=f"{case.about}, in {found.runs:,} runs"), found, clause, _near)
    if not clause and len(found) == 1 < len(case.right):
        fail(f"{case.about} every run gives {next(iter(found))}: nothing depends on rng there")
    if not clause and _distance(found, case.right) < EPSILON:
        clause = "is there an epsilon in a denominator"
    explain(case, found, clause, agree)


def _all_earn(cases: Sequence[Case], found: Sequence[Law], explain) -> bool:
    """Is every case right, or wrong in a way that earns a part? Of a sampled answer the first few tell."""
    sampled = any(isinstance(law, Frequencies) for law in found)
    for i, case in enumerate(cases[: max(len(found), MOST_SAMPLED)] if sampled else cases):
        try:
            law = found[i] if i < len(found) else _law(case, coarse=False)[0]
            if law is not case.right:
                _explain(case, law, "", explain)
        except CheckFailed as failure:
            if not failure.credit:
                return False
    return True


def _laws(cases: Sequence[Case]) -> tuple[list[Law], list[str]]:
    """The law in every case, the right one itself where it agrees, and by what means it was found.

    An answer that has to be sampled is judged by one case, and more coarsely by the others: that a case has
    one outcome alone takes few samples too.
    """
    found: list[Law] = []
    how: list[str] = []
    wrong = sampled = False
    for case in cases:
        try:
            law, said = _law(case, coarse=sampled or len(case.right) == 1)
        except CheckFailed:
            if not wrong:
                raise
            break  # a fault was seen before this one, and is told first
        found.append(law)
        how.append(said)
        wrong = wrong or law is not case.right
        sampled = sampled or isinstance(law, Frequencies) or ("chi-square" in said and len(case.right) > 1)
        if sampled and wrong:
            break
    return found, how


def _law(case: Case, *, coarse: bool) -> tuple[Law, str]:
    try:
        return case.right, same_law(case.run, case.right, _keep, coarse=coarse)
    except _Other as other:
        return other.found, ""
    except Constant as constant:
        return {constant.outcome: 1.0}, ""
    except Raised as failure:
        a = ABOVE_1.match(str(failure.error))
        if a is None:
            raise
        why = "cut the ratio at 1" if float(a[1]) > 1.001 else "that is rounding, mind the brackets"
        fail(f"{failure}: {why}")


def _name(found: Sequence[Law], slips: Mapping[str, Callable[[int], Law]]) -> str:
    named = [
        clause for clause, law in slips.items() if all(agree(mine, law(i)) for i, mine in enumerate(found))
    ]
    return named[0] if len(named) == 1 else ""


def _keep(found: Law, right: Law) -> None:
    raise _Other(found)


def agree(first: Law, second: Law) -> bool:
    """Are two laws equal, within the tolerance?"""
    return all(close(first.get(o, 0.0), second.get(o, 0.0)) for o in {*first, *second})


def _near(first: Law, second: Law) -> bool:
    """Are frequencies near a law? 20,000 runs rarely miss by a third of this in total variation."""
    return _distance(first, second) < 0.03


def _distance(first: Law, second: Law) -> float:
    return sum(abs(first.get(o, 0.0) - second.get(o, 0.0)) for o in {*first, *second}) / 2


def possible(law: Law) -> dict:
    """`law` without its outcomes of probability 0."""
    return {outcome: mass for outcome, mass in law.items() if mass > 0}


def partly(credit: float, part: Callable[..., None], *arguments) -> None:
    """Run a later part of a check: an answer that fails there has earned `credit` before."""
    try:
        part(*arguments)
    except CheckFailed as failure:
        fail(str(failure), max(credit, failure.credit))


def plural(number: float, word: str) -> str:
    """`word` as it follows `number`."""
    return word if close(number, 1) else f"{word}s"


# --- what a rule returns -----------------------------------------------------------------------------


def as_flag(value, about: str) -> bool:
    """The answer as True or False; 0 and 1 count."""
    flag = plain(value)
    while isinstance(flag, list) and len(flag) == 1:
        flag = flag[0]
    if flag not in (0, 1):
        fail(f"{about} you return {short(value)}: return True or False")
    return bool(flag)


def as_verdict(value, size: int, about: str) -> tuple[int, bool]:
    """The answer as (token, kept)."""
    parts = plain(value)
    if not isinstance(parts, list) or len(parts) != 2:
        fail(f"{about} you return {short(value)}: return (token, kept), a token and True or False")
    token = as_token(parts[0], f"{about} the token")
    if token >= size:
        fail(f"{about} you return token {token}, the last is {size - 1}")
    return token, as_flag(parts[1], f"{about} for kept")


def show_row(row: Sequence[float]) -> str:
    """A row the way the book writes numbers."""
    return f"({', '.join(map(show, row))})"
