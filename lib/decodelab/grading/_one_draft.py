"""What a rule does to one drafted token, in closed form. The library's rules are not used here: on purpose,
so that a fault of theirs does not become the answer key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from decodelab.grading._cases import same_answers
from decodelab.grading._checks import Raised, apart, as_row, call, close, difference, fail, unchanged
from decodelab.grading._laws import worst_outcome
from decodelab.grading._named import Alike, Case, as_verdict, possible, show_row
from decodelab.rng import ScriptedRng

__all__ = [
    "STRICT",
    "P",
    "Q",
    "Row",
    "at_edge",
    "explain_verdicts",
    "left",
    "normal",
    "ratio",
    "same_rows",
    "verdict_case",
    "verified",
    "without",
]

Row = tuple[float, ...]

P, Q = (0.5, 0.3, 0.2), (0.2, 0.5, 0.3)
STRICT = "test u < p/q, and take no logarithm of 0"


# --- closed forms ------------------------------------------------------------------------------------


def normal(weights) -> list[float]:
    """Weights divided by their sum; zeros stay as they are."""
    total = sum(weights)
    return [w / total for w in weights] if total else list(weights)


def left(p: Sequence[float], q: Sequence[float]) -> list[float]:
    """The residual; p where nothing is left."""
    excess = [max(a - b, 0) for a, b in zip(p, q, strict=True)]
    return normal(excess) if sum(excess) > 0 else list(p)


def without(p: Sequence[float], x: int) -> list[float]:
    """p without token x, divided by its sum; p where nothing is left."""
    others = [0.0 if i == x else a for i, a in enumerate(p)]
    return normal(others) if sum(others) > 0 else list(p)


def ratio(p: Sequence[float], q: Sequence[float], x: int) -> float:
    """The chance that x is accepted."""
    return min(1.0, p[x] / q[x]) if q[x] else 1.0  # numpy says inf


def verified(p: Row, q: Row, keep=ratio, rest=lambda p, q, x: left(p, q), drawn=None) -> dict:
    """The joint law of (token, kept): a draft from `drawn` (q) kept with `keep`, else a token of `rest`."""
    law: dict[tuple[int, bool], float] = {}
    for x, mass in enumerate(drawn or q):
        if mass == 0:
            continue
        a = keep(p, q, x)
        law[x, True] = law.get((x, True), 0.0) + mass * a
        for token, share in enumerate(rest(p, q, x)):
            law[token, False] = law.get((token, False), 0.0) + mass * (1 - a) * share
    return possible(law)


# --- running and comparing ---------------------------------------------------------------------------


def at_edge(answer: Callable, *arguments, u: float, about: str):
    """What an answer returns if every uniform is u, or None if it waits for another one."""
    rng = ScriptedRng([u] * 100)
    try:
        return call(answer, *arguments, rng=rng, about=about)
    except Raised:
        if rng.remaining:
            raise
        return None


def verdict_case(answer: Callable, given: Sequence, right: Mapping, about: str) -> Case:
    """A case of an answer that takes `given`, rows first, and returns (token, kept)."""

    def run(rng):
        lent = [np.array(x) if isinstance(x, tuple) else x for x in given]
        value = call(answer, *lent, rng=rng, about=about)
        for mine, before in zip(lent, given, strict=True):
            unchanged(mine, before, about)
        return as_verdict(value, len(given[0]), about)

    return Case(run, right, about)


def explain_verdicts(case: Case, found, clause: str, alike: Alike) -> None:
    """Fail with the token that is most wrong, or else with how often a draft is kept, or with both."""
    mine, due = _tokens_of(found), _tokens_of(case.right)
    told = f"{case.about}, " + (f"{clause}: " if clause else "")
    if not alike(mine, due):
        worst = max({*mine, *due}, key=lambda t: abs(mine.get(t, 0.0) - due.get(t, 0.0)))
        fail(f"{told}token {worst} gets {difference(mine.get(worst, 0.0), due.get(worst, 0.0))}")
    kept, right = (sum(m for (_, k), m in law.items() if k) for law in (found, case.right))
    if not alike({True: kept}, {True: right}):
        credit = 0.5 if _may_be_kept(found, case.right, alike) else 0.0
        mine, due = apart(round(kept, 3), round(right, 3)) if abs(kept - right) > 0.01 else apart(kept, right)
        fail(f"{told}the token has the law p, but kept is true with {mine}, not {due}", credit)
    fail(told + worst_outcome(found, case.right))


def _may_be_kept(found, right, alike: Alike) -> bool:
    """Are some drafts kept, and no token more often than a draft of it can be?"""
    kept = {outcome: mass for outcome, mass in found.items() if outcome[1]}
    excess = {outcome: max(mass - right.get(outcome, 0.0), 0.0) for outcome, mass in kept.items()}
    return alike(excess, {}) and (not alike(kept, {}) or not any(k for _, k in right))


def _tokens_of(law) -> dict[int, float]:
    tokens: dict[int, float] = {}
    for (token, _), mass in law.items():
        tokens[token] = tokens.get(token, 0.0) + mass
    return tokens


def same_rows(answer, cases, right, slips, names, abouts=None) -> None:
    """Compare the row that the answer gives in every case; a slip is named by all of them."""
    abouts = abouts or [_about(names, case) for case in cases]
    values = [_row_of(answer, case, about) for case, about in zip(cases, abouts, strict=True)]
    same_answers(
        values,
        [right(*case) for case in cases],
        abouts,
        {clause: [wrong(*case) for case in cases] for clause, wrong in slips.items()},
        equal=lambda a, b: all(map(close, a, b)),
        write=show_row,
        explain=_row_in_words,
    )


def _row_in_words(row: Sequence[float], right: Sequence[float]) -> str:
    """The right row, or the token that is most wrong where the two look alike."""
    if show_row(row) != show_row(right):
        return f"right is {show_row(right)}"
    worst = max(range(len(right)), key=lambda x: abs(row[x] - right[x]))
    return f"token {worst} {difference(row[worst], right[worst])}: is there an epsilon in a denominator"


def _about(names, case) -> str:
    said = (show_row(x) if isinstance(x, tuple) else str(x) for x in case)
    return f"for {', '.join(f'{name} = {x}' for name, x in zip(names, said, strict=True))}"


def _row_of(answer, case, about: str) -> list[float]:
    lent = [np.array(x) if isinstance(x, tuple) else x for x in case]
    row = as_row(call(answer, *lent, about=about), len(case[0]), f"{about} the answer")
    for mine, before in zip(lent, case, strict=True):
        unchanged(mine, before, about)
    return row
