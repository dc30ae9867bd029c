"""Naming what is wrong with a law: the laws of several cases, and the slip that gives all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from decodelab.grading._checks import as_token, close, fail, plain, short, show
from decodelab.grading._laws import SAMPLES, Law, same_law
from decodelab.grading.answers import CheckFailed
from decodelab.rng import Rng

__all__ = ["Alike", "Case", "agree", "as_flag", "as_verdict", "partly", "possible", "same_laws", "show_row"]

Alike = Callable[[Law, Law], bool]
MOST_SAMPLED = 3  # cases on which an answer is tried that cannot be enumerated: each takes a second or more


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
    whether a part of `found` is right: frequencies are never equal to a law.
    """
    found, how, sampled = _laws(cases)
    wrong = next((i for i, law in enumerate(found) if law is not cases[i].right), None)
    if wrong is not None:
        explain(cases[wrong], found[wrong], _name(found, slips), _near if wrong in sampled else agree)
    return f"{len(how)} cases ({next((said for said in how if 'chi-square' in said), how[0])})"


def _laws(cases: Sequence[Case]) -> tuple[list[Law], list[str], set[int]]:
    """The law in every case, the right one itself where it agrees; by what means; which were sampled."""
    found: list[Law] = []
    how, wrong, sampled = [], False, set()
    for i, case in enumerate(cases):
        run = _Counted(case.run)
        try:
            how.append(same_law(run, case.right, _keep))
            found.append(case.right)
        except _Other as other:
            found.append(other.found)
            wrong = True
        except CheckFailed:
            if not wrong:
                raise
            break  # a fault was seen before this one, and is told first
        if run.calls >= SAMPLES:
            sampled.add(i)
        if len(sampled) == MOST_SAMPLED or (sampled and wrong):
            break
    return found, how, sampled


class _Counted:
    """A run that counts its calls: an answer that has to be sampled shows in their number."""

    def __init__(self, run: Callable[[Rng], object]):
        self._run, self.calls = run, 0

    def __call__(self, rng: Rng):
        self.calls += 1
        return self._run(rng)


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
    return sum(abs(first.get(o, 0.0) - second.get(o, 0.0)) for o in {*first, *second}) / 2 < 0.03


def possible(law: Law) -> dict:
    """`law` without its outcomes of probability 0."""
    return {outcome: mass for outcome, mass in law.items() if mass > 0}


def partly(credit: float, part: Callable[..., None], *arguments) -> None:
    """Run a later part of a check: an answer that fails there has earned `credit` before."""
    try:
        part(*arguments)
    except CheckFailed as failure:
        fail(str(failure), max(credit, failure.credit))


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
