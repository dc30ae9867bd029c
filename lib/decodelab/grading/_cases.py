"""Naming a slip by all cases at once: one case is often right by luck, or wrong in two ways alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from decodelab.grading._checks import close, fail, show

__all__ = ["NOT_RIGHT", "same_answers", "same_numbers", "same_own"]

NOT_RIGHT = "not right"


def same_numbers(values: Sequence[float], right: Sequence, abouts: Sequence[str], slips: Mapping) -> None:
    """Fail unless all numbers are right; `slips` maps a clause to the numbers that it gives, case by case."""

    def explain(value, due):
        return f"{show(abs(value - due))} too {'much' if value > due else 'little'}"

    same_answers(values, right, abouts, slips, equal=close, write=show, explain=explain)


def same_answers(
    values: Sequence,
    right: Sequence,
    abouts: Sequence[str],
    slips: Mapping[str, Sequence],
    *,
    equal: Callable[[object, object], bool],
    write: Callable[[object], str],
    explain: Callable[[object, object], str],
) -> None:
    """Fail at the first wrong case, and name the slip if one alone gives the answers to every case."""

    def all_equal(others):
        return all(equal(value, other) for value, other in zip(values, others, strict=True))

    if all_equal(right):
        return
    i = next(i for i, value in enumerate(values) if not equal(value, right[i]))
    named = [clause for clause, wrong in slips.items() if all_equal(wrong)]
    why = f": {named[0]}" if len(named) == 1 else f", {explain(values[i], right[i])}"
    fail(f"{abouts[i]} you give {write(values[i])}{why}")


def same_own(value: float, right: float, *, given: str, slips: Mapping[str, float]) -> None:
    """For a number of a student's own: a known slip is named, and nothing else helps a search for it."""
    if close(value, right):
        return
    named = [clause for clause, wrong in slips.items() if close(value, float(wrong))]
    if len(named) == 1:
        fail(f"{given} is {NOT_RIGHT}: {named[0]}")
    near = ": rounded too far" if abs(value - right) <= 1e-3 * abs(right) else ""
    fail(f"{given} is {NOT_RIGHT}{near}")
