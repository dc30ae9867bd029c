"""Naming a slip by all cases at once: one case is often right by luck, or wrong in two ways alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from decodelab.grading._checks import close, fail, show

__all__ = ["same_answers", "same_numbers"]


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
