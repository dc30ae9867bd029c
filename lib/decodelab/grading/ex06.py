"""Checks of set 06: one drafted token here; blocks, loops, lengths and broken rules in the files beside."""

from __future__ import annotations

import random

import numpy as np

from decodelab.grading._blocks import block_verify
from decodelab.grading._boxes import broken, samples
from decodelab.grading._boxes import your_boxes as your_boxes  # for the notebook
from decodelab.grading._checks import TOLERANCE, apart, as_row, call, fail, need_function, show
from decodelab.grading._drafting import best_gamma, best_speed, expected_tokens
from decodelab.grading._drafting import your_draft as your_draft  # for the notebook
from decodelab.grading._named import Alike, Case, as_flag, as_verdict, partly, possible, same_laws, show_row
from decodelab.grading._one_draft import (
    STRICT,
    P,
    Q,
    Row,
    at_edge,
    explain_verdicts,
    left,
    normal,
    same_rows,
    verdict_case,
    verified,
    without,
)
from decodelab.grading._recorded import chosen_token, law_if_recorded, top_k_law
from decodelab.grading._rounds import chain_round
from decodelab.grading._writing import write

__all__ = [
    "accept",
    "best_gamma",
    "best_speed",
    "block_verify",
    "broken",
    "chain_round",
    "chosen_token",
    "expected_tokens",
    "law_if_recorded",
    "one_token",
    "residual",
    "samples",
    "top_k_law",
    "write",
]

_EDGES = {"0": 0.0, "1 - 2^-53": float(np.nextafter(1, 0))}  # the smallest uniform, and the largest


# --- 1: accept or not ----------------------------------------------------------------------------------

_RATIOS = ((0.5, 0.2), (0.3, 0.5), (0.1, 0.8), (0.2, 0.2), (0.0, 0.4))


def accept(answer) -> str:
    """True with min(1, p/q); an impossible token is refused at u = 0 too."""
    need_function(answer, "accept")
    cases = [_accept_case(answer, *pair) for pair in _RATIOS]
    slips = {
        "p and q are swapped": lambda p, q: min(1, q / p) if p else 1,
        "that is the chance of a rejection": lambda p, q: 1 - min(1, p / q),
        "a token with p < q is kept now and then": lambda p, q: p >= q,
        "divide by q": lambda p, q: p,
        "that keeps every draft": lambda p, q: 1,
    }
    laws = {clause: (lambda i, f=f: _coin(f(*_RATIOS[i]))) for clause, f in slips.items()}
    how = same_laws(cases, laws, _explain_coin)
    partly(0.5, _accept_at_edges, answer)
    return f"the chance agrees in {how}, and p_x = 0 is refused at u = 0"


def _accept_case(answer, p: float, q: float) -> Case:
    about = f"for p_x = {show(p)}, q_x = {show(q)}"

    def run(rng):
        return as_flag(call(answer, p, q, rng=rng, about=about), about)

    return Case(run, _coin(min(1, p / q)), about)


def _coin(chance: float) -> dict[bool, float]:
    return possible({True: float(chance), False: 1 - float(chance)})


def _explain_coin(case: Case, found, clause: str, alike: Alike) -> None:
    mine, due = apart(found.get(True, 0.0), case.right.get(True, 0.0))
    why = f": {clause}" if clause else ""
    fail(f"{case.about} you keep the draft with probability {mine}, right is {due}{why}")


def _accept_at_edges(answer) -> None:
    for said, u in _EDGES.items():
        for p, q in ((0.0, 0.4), (0.4, 0.4), (0.5, 0.2)):
            about = f"for p_x = {show(p)}, q_x = {show(q)} and u = {said}"
            value = at_edge(answer, p, q, u=u, about=about)
            if value is None or as_flag(value, about) == (p > 0):
                continue
            if p == 0:
                fail(f"{about} you keep an impossible token: test u < p/q, and take no logarithm of 0")
            fail(f"{about} you refuse it, and must not{_why_refused(answer, p, q, about) if u > 0 else ''}")


def _why_refused(answer, p: float, q: float, about: str) -> str:
    """In float32 all above 1 - 2^-25 is 1; an epsilon in the denominator refuses less than that."""
    values = [at_edge(answer, p, q, u=1 - 2.0**-n, about=about) for n in (24, 30)]
    kept = [value is not None and as_flag(value, about) for value in values]
    if kept == [True, False]:
        return ": this u is 1 in float32, compare in float64"
    return ": is there an epsilon in a denominator" if all(kept) else ""


# --- 2: the residual -------------------------------------------------------------------------------------

_APART = ((P, Q), (Q, P), ((0.1, 0.2, 0.3, 0.4), (0.4, 0.0, 0.2, 0.4)), ((0.4, 0.0, 0.6), (0.0, 1.0, 0.0)))
_EQUAL = ((P, P), ((1.0, 0.0), (1.0, 0.0)))
_ROUNDED = (  # p nowhere above q, and not equal to it
    ((0.5, float(np.nextafter(0.5, 0))), (0.5, 0.5)),
    ((0.5, 0.5, 0.0), (0.5, 0.5, 2.0**-54)),
)
_NEARLY = (((0.5 + 1e-7, 0.5 - 1e-7), (0.5, 0.5)),)  # near each other, and yet something is left


def residual(answer) -> str:
    """norm((p - q)+), and p itself where nothing is left."""
    need_function(answer, "residual")
    slips = {
        "that is (q - p)+": lambda p, q: _clipped(q, p),
        "that is |p - q|": lambda p, q: normal([abs(d) for d in _gaps(p, q)]),
        "it is not divided by its sum": lambda p, q: [max(d, 0) for d in _gaps(p, q)],
        "where p - q is negative the residual is 0": _gaps,
        "that is p itself": lambda p, q: list(p),
    }
    same_rows(answer, _APART, left, slips, ("p", "q"))
    empty = {
        "nothing is left, return p": lambda p, q: [0.0] * len(p),
        "nothing is left, return p and not a uniform row": lambda p, q: [1 / len(p)] * len(p),
    }
    partly(0.5, same_rows, answer, _EQUAL, left, empty, ("p", "q"))
    abouts = ["for p = (.5, .5 - 2^-54), q = (.5, .5)", "for p = (.5, .5, 0), q = (.5, .5, 2^-54)"]
    partly(0.75, same_rows, answer, _ROUNDED, left, empty, ("p", "q"), abouts)
    partly(0.75, _not_from_q, answer, *_ROUNDED[1], abouts[1])
    near = {"p and q are near, but something is left": lambda p, q: list(p)}
    about = "for p = (.5 + 1e-7, .5 - 1e-7), q = (.5, .5)"
    partly(0.75, same_rows, answer, _NEARLY, left, near, ("p", "q"), [about])
    number = len(_APART) + len(_EQUAL) + len(_ROUNDED) + len(_NEARLY)
    return f"the row agrees for {number} pairs, those with nothing left included ({TOLERANCE})"


def _not_from_q(answer, p: Row, q: Row, about: str) -> None:
    row = as_row(call(answer, np.array(p), np.array(q), about=about), len(p), f"{about} the answer")
    if row[2] != 0:
        fail(f"{about} you give token 2 {show(row[2])}, p gives it nothing: return p, not q")


def _gaps(p: Row, q: Row) -> list[float]:
    return [a - b for a, b in zip(p, q, strict=True)]


def _clipped(p: Row, q: Row) -> list[float]:
    return normal([max(d, 0) for d in _gaps(p, q)])


# --- 3: one token ----------------------------------------------------------------------------------------


def _random_row(source: random.Random, size: int) -> Row:
    """A row in twentieths, some of them zero."""
    marks = sorted(int(21 * source.random()) for _ in range(size - 1))
    return tuple((b - a) / 20 for a, b in zip([0, *marks], [*marks, 20], strict=True))


def _random_pairs(number: int) -> list[tuple[Row, Row]]:
    source = random.Random(6)  # gives the same numbers in every version of Python
    sizes = [2 + int(4 * source.random()) for _ in range(number)]
    return [(_random_row(source, size), _random_row(source, size)) for size in sizes]


_PAIRS = [
    *_APART,
    ((0.4, 0.3, 0.2, 0.1), (0.1, 0.2, 0.3, 0.4)),
    (P, P),
    (P, (0.0, 1.0, 0.0)),
    ((0.0, 1.0), (0.5, 0.5)),
    *_random_pairs(12),
]
_IMPOSSIBLE = (
    ((0.0, 1.0), (1.0, 0.0)),
    ((0.0, 0.5, 0.5), (0.5, 0.5, 0.0)),
    ((0.5, 0.5, 0.0), (0.25, 0.25, 0.5)),
)


def one_token(answer) -> str:
    """The joint law of the token and of whether the draft was kept: min(p, q) and (p - q)+."""
    need_function(answer, "one_token")
    cases = [
        verdict_case(answer, (p, q), verified(p, q), f"for p = {show_row(p)}, q = {show_row(q)}")
        for p, q in _PAIRS
    ]
    slips = {clause: (lambda i, law=law: law(*_PAIRS[i])) for clause, law in _TOKEN_SLIPS.items()}
    how = same_laws(cases, slips, explain_verdicts)
    partly(0.5, _tokens_at_edges, answer)
    return f"token and kept have their joint law in {how}"


def _never_less(p: Row, q: Row, x: int) -> float:
    return float(p[x] >= q[x])


def _likeliest(row) -> list[float]:
    return [float(i == row.index(max(row))) for i in range(len(row))]


_TOKEN_SLIPS = {
    "after a rejection you draw from p": lambda p, q: verified(p, q, rest=lambda p, q, x: p),
    "after a rejection you draw from p without the rejected token": lambda p, q: verified(
        p, q, rest=lambda p, q, x: without(p, x)
    ),
    "after a rejection you draw from q": lambda p, q: verified(p, q, rest=lambda p, q, x: q),
    "after a rejection you draw from |p - q|": lambda p, q: verified(
        p, q, rest=lambda p, q, x: normal([abs(d) for d in _gaps(p, q)])
    ),
    "after a rejection you take the likeliest token of the residual": lambda p, q: verified(
        p, q, rest=lambda p, q, x: _likeliest(left(p, q))
    ),
    "you keep every draft": lambda p, q: verified(p, q, keep=lambda p, q, x: 1.0),
    "you keep a draft only where p >= q": lambda p, q: verified(p, q, keep=_never_less),
    "you keep a draft only where p >= q, else draw from p": lambda p, q: verified(
        p, q, keep=_never_less, rest=lambda p, q, x: p
    ),
    "p and q are swapped, in the residual at least": lambda p, q: verified(q, p),
    "you draw the draft from p": lambda p, q: verified(p, q, drawn=p),
    "kept is the wrong way round": lambda p, q: {(t, not k): m for (t, k), m in verified(p, q).items()},
    "kept is always true": lambda p, q: possible({(t, True): m for t, m in enumerate(p)}),
}


def _tokens_at_edges(answer) -> None:
    for p, q in _IMPOSSIBLE:
        for said, u in _EDGES.items():
            about = f"for p = {show_row(p)}, q = {show_row(q)}, if every uniform is {said},"
            value = at_edge(answer, np.array(p), np.array(q), u=u, about=about)
            token = None if value is None else as_verdict(value, len(p), about)[0]
            if token is not None and p[token] == 0:
                fail(f"{about} you return {token}, which has probability 0: {STRICT}")
