"""Checks of set 06 about rules that are told a wrong row, and one that asks for the likeliest only."""

from __future__ import annotations

import numpy as np

from decodelab.grading._checks import TOLERANCE, as_row, call, close, fail, need_function
from decodelab.grading._named import as_verdict, partly, same_laws, show_row
from decodelab.grading._one_draft import (
    STRICT,
    P,
    Q,
    Row,
    at_edge,
    explain_verdicts,
    left,
    normal,
    ratio,
    same_rows,
    verdict_case,
    verified,
    without,
)

__all__ = ["chosen_token", "law_if_recorded", "top_k_law"]


# --- a row that was not drawn from -----------------------------------------------------------------------

_RECORDED = (
    (P, (0.0, 1.0, 0.0), Q),
    ((0.3, 0.5, 0.2), (1.0, 0.0, 0.0), (0.5, 0.25, 0.25)),
    ((0.4, 0.4, 0.2), (0.625, 0.375, 0.0), (0.5, 0.3, 0.2)),
    ((0.4, 0.3, 0.2, 0.1), (0.25, 0.25, 0.25, 0.25), (0.1, 0.2, 0.3, 0.4)),
    ((0.1, 0.6, 0.3), (0.5, 0.5, 0.0), (0.7, 0.3, 0.0)),
    (P, Q, Q),
    ((0.25, 0.0, 0.75), (0.5, 0.5, 0.0), (0.5, 0.5, 0.0)),
    ((0.5, 0.5, 0.0), (0.25, 0.75, 0.0), (0.75, 0.25, 0.0)),
    (P, (0.3, 0.4, 0.3), P),
)


def law_if_recorded(answer) -> str:
    """The law of the token when the rule is told another row than the one drawn from."""
    need_function(answer, "law_if_recorded")
    slips = {
        "that is p, which comes out only if the recorded row is the one drawn from": lambda p, d, r: list(p),
        "the rule replaces a rejected draft from (p - recorded)+, it knows no other row": lambda p, d, r: (
            _told(p, d, r, left(p, d))
        ),
        "a rejected draft is replaced from the residual, not from p": lambda p, d, r: _told(p, d, r, p),
        "the tokens that replace rejected drafts are missing": lambda p, d, r: _kept(p, d, r),
        "that is the row drawn from, as if every draft were kept": lambda p, d, r: list(d),
        "that is the residual, add the drafts that are kept": lambda p, d, r: left(p, r),
    }
    same_rows(answer, _RECORDED, _told, slips, ("p", "drawn", "recorded"))
    return f"the law agrees in {len(_RECORDED)} cases, two of them recorded rightly ({TOLERANCE})"


def _kept(p: Row, drawn: Row, recorded: Row) -> list[float]:
    return [m * ratio(p, recorded, x) for x, m in enumerate(drawn)]


def _told(p: Row, drawn: Row, recorded: Row, rest=None) -> list[float]:
    kept = _kept(p, drawn, recorded)
    rest = left(p, recorded) if rest is None else rest
    return [k + (1 - sum(kept)) * r for k, r in zip(kept, rest, strict=True)]


# --- a token that was chosen -----------------------------------------------------------------------------

_CHOSEN = (
    ((0.3, 0.5, 0.2), 0),
    (P, 1),
    ((0.4, 0.3, 0.2, 0.1), 3),
    ((0.6, 0.0, 0.4), 2),
    ((0.5, 0.0, 0.5), 1),
    ((0.0, 1.0), 1),
    ((0.0, 1.0), 0),
)


def chosen_token(answer) -> str:
    """The joint law of (token, kept) for a draft that was chosen: kept with p(x)."""
    need_function(answer, "chosen_token")
    cases = [
        verdict_case(answer, (p, x), _by_row(p, x), f"for p = {show_row(p)}, x = {x}") for p, x in _CHOSEN
    ]
    slips = {clause: (lambda i, law=law: law(*_CHOSEN[i])) for clause, law in _CHOSEN_SLIPS.items()}
    how = same_laws(cases, slips, explain_verdicts)
    partly(0.5, _chosen_at_edges, answer)
    return f"token and kept have their joint law in {how}"


def _by_row(p: Row, x: int, **wrong) -> dict:
    return verified(p, tuple(float(i == x) for i in range(len(p))), **wrong)


_CHOSEN_SLIPS = {
    "after a rejection you draw from p, x and all": lambda p, x: _by_row(p, x, rest=lambda p, q, x: p),
    "you keep every draft": lambda p, x: _by_row(p, x, keep=lambda p, q, x: 1.0),
    "you keep x only where it is the likeliest": lambda p, x: _by_row(
        p, x, keep=lambda p, q, x: float(p[x] == max(p)), rest=lambda p, q, x: without(p, x)
    ),
    "after a rejection all other tokens come up alike": lambda p, x: _by_row(
        p, x, rest=lambda p, q, x: normal([float(i != x) for i in range(len(p))])
    ),
    "kept is the wrong way round": lambda p, x: {(t, not k): m for (t, k), m in _by_row(p, x).items()},
}


def _chosen_at_edges(answer) -> None:
    for p, x in (((0.0, 1.0), 0), ((0.5, 0.0, 0.5), 1)):
        about = f"for p = {show_row(p)}, x = {x}, if every uniform is 0,"
        value = at_edge(answer, np.array(p), x, u=0.0, about=about)
        token = None if value is None else as_verdict(value, len(p), about)[0]
        if token is not None and p[token] == 0:
            fail(f"{about} you return {token}, which has probability 0: {STRICT.replace('/q', '(x)')}")


# --- top-k acceptance ------------------------------------------------------------------------------------

_TOP_K = (
    ((0.6, 0.4), (0.5, 0.5), 1),
    (P, Q, 2),
    (P, Q, 3),
    ((0.2, 0.5, 0.3), (0.6, 0.1, 0.3), 1),
    ((0.4, 0.3, 0.2, 0.1), (0.1, 0.2, 0.3, 0.4), 2),
    ((0.4, 0.4, 0.2), (0.3, 0.6, 0.1), 1),
    ((0.25, 0.25, 0.25, 0.25), (0.4, 0.3, 0.2, 0.1), 3),
    ((0.0, 0.7, 0.0, 0.3), (0.4, 0.3, 0.2, 0.1), 3),
)


def top_k_law(answer) -> str:
    """The law of one drafted token under the rule that keeps the target's k likeliest."""
    need_function(answer, "top_k_law")
    same_rows(answer, _TOP_K, lambda p, q, k: _redrawn(q, _top(p, k), p), _TOP_SLIPS, ("p", "q", "k"))
    partly(0.75, _long_tie, answer)
    return f"the law agrees in {len(_TOP_K) + 1} cases, ties and zeros included ({TOLERANCE})"


def _long_tie(answer) -> None:
    """A row with 20 equal tokens: argsort keeps the order of a short row by luck alone."""
    p, q, k = (0.02, 0.03) * 20, tuple((40 - x) / 820 for x in range(40)), 10
    about = f"for p = .02, .03, ... of 40 tokens, q falling from 40/820 to 1/820, k = {k}"
    row = as_row(call(answer, np.array(p), np.array(q), k, about=about), 40, f"{about} the answer")
    if not all(map(close, row, _redrawn(q, _top(p, k), p))):
        fail(f"{about} the law is wrong: of equal tokens the lower id is ranked first, is your sort stable")


def _top(p: Row, k: int) -> set[int]:
    return set(sorted(range(len(p)), key=lambda x: (-p[x], x))[:k])


def _outside(p: Row, passing: set[int]) -> list[float]:
    others = [0.0 if x in passing else a for x, a in enumerate(p)]
    return normal(others) if sum(others) > 0 else list(p)


def _redrawn(drawn: Row, passing: set[int], rest) -> list[float]:
    """Drafts that pass come up as drawn; the mass of the others is spread over `rest`."""
    kept = [m * (x in passing) for x, m in enumerate(drawn)]
    return [k + (1 - sum(kept)) * r for k, r in zip(kept, rest, strict=True)]


_TOP_SLIPS = {
    "a rejected draft is replaced from p, not from the residual": lambda p, q, k: _redrawn(
        q, _top(p, k), left(p, q)
    ),
    "a rejected draft is replaced from p as it is, the kept tokens included": lambda p, q, k: _redrawn(
        q, _top(p, k), _outside(p, _top(p, k))
    ),
    "the k likeliest are those of the target": lambda p, q, k: _redrawn(q, _top(q, k), p),
    "of equal tokens the lower id is ranked first, and k pass": lambda p, q, k: _redrawn(
        q, {x for x, a in enumerate(p) if a >= sorted(p)[-k]}, p
    ),
    "of equal tokens the lower id is ranked first": lambda p, q, k: _redrawn(
        q, set(sorted(range(len(p)), key=lambda x: (-p[x], -x))[:k]), p
    ),
    "all tokens are ranked, those of probability 0 too": lambda p, q, k: _redrawn(
        q, {x for x in _top(p, k) if p[x] > 0}, p
    ),
    "the tokens that replace rejected drafts are missing": lambda p, q, k: [
        b * (x in _top(p, k)) for x, b in enumerate(q)
    ],
    "that is p, but the rule is not exact": lambda p, q, k: list(p),
    "a draft that passes comes up as often as it is drafted, not as p says": lambda p, q, k: _redrawn(
        p, _top(p, k), p
    ),
}
