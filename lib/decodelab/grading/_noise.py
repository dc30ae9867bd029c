"""Check of set 03: a token for each of several rows, from noise that no two of them share."""

from __future__ import annotations

import math

import numpy as np

from decodelab.grading._checks import as_tokens, call, fail, need_function, unchanged
from decodelab.grading._laws import same_law, worst_outcome
from decodelab.rng import TooManyTraces, pick

__all__ = ["LARGEST", "draw_rows"]

LARGEST = math.nextafter(1, 0)  # the largest uniform there is

_LOGITS = (
    ((0.0, 1.0, -1.0), (0.5, -math.inf, 0.0)),
    ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
    ((2.0, 0.0), (-1.0, 1.0)),
)


def draw_rows(answer) -> str:
    """A token for each row of logits, independent of each other; no forbidden one for any noise."""
    need_function(answer, "draw_rows")
    how = [_joint_law(answer, logits) for logits in _LOGITS]
    for u in (0.0, LARGEST):
        for logits in (((-math.inf, 0.0),), ((0.0, -math.inf), (-math.inf, 1.0))):
            _edge(answer, logits, u)
    return f"the joint law of the tokens agrees on {len(_LOGITS)} tables: {how[0]}"


def _joint_law(answer, logits) -> str:
    array, about = np.array(logits), f"for logits {logits}"

    def run(rng):
        tokens = as_tokens(call(answer, array, rng=rng, about=about), f"{about} the answer")
        if len(tokens) != len(logits):
            fail(f"{about} you return {len(tokens)} tokens: return one for each of the {len(logits)} rows")
        return tokens

    rows = [_softmax(row) for row in logits]
    right: dict[tuple, float] = {(): 1.0}
    for row in rows:
        right = {(*t, i): m * x for t, m in right.items() for i, x in enumerate(row) if x > 0}
    how = same_law(run, right, lambda found, right: _dependent(found, right, rows, about))
    unchanged(array, logits, about)
    return how


def _softmax(row) -> list[float]:
    weights = [math.exp(z - max(row)) for z in row]
    return [w / sum(weights) for w in weights]


def _dependent(found, right, rows, about: str) -> None:
    """Fail with the row that is wrong, or else with the pair of tokens that are not independent."""
    for number, row in enumerate(rows):
        law: dict[int, float] = {}
        for tokens, mass in found.items():
            law[tokens[number]] = law.get(tokens[number], 0.0) + mass
        if any(
            abs(law.get(i, 0.0) - (row[i] if i < len(row) else 0)) > 0.02 for i in {*law, *range(len(row))}
        ):
            fail(f"{about} in row {number} {worst_outcome(law, dict(enumerate(row)))}")
    why = "each row has its law, but the tokens are not independent"
    fail(f"{about} {why}: {worst_outcome(found, right).removeprefix('you give ')}", 0.25)


class _Constant:
    """An `Rng` whose every uniform is the same: the edges of [0, 1)."""

    def __init__(self, u: float):
        self._u, self._left = u, 1000

    def _next(self) -> float:
        self._left -= 1
        if self._left < 0:
            raise TooManyTraces("a loop that waits for another uniform")
        return self._u

    def categorical(self, p) -> int:
        return pick(np.asarray(p.tolist() if hasattr(p, "tolist") else p, dtype=np.float64), self._next())

    def bernoulli(self, a) -> bool:
        return self._next() < a

    def uniform(self, shape=None):
        return self._next() if shape is None else np.full(shape, self._next())


def _edge(answer, logits, u: float) -> None:
    about = f"for logits {logits}, if every uniform is {'0' if u == 0 else '1 - 2^-53'},"
    try:
        tokens = as_tokens(call(answer, np.array(logits), rng=_Constant(u), about=about, credit=0.75), "it")
    except TooManyTraces:
        return
    for row, token in zip(logits, tokens, strict=False):
        if not 0 <= token < len(row) or row[token] == -math.inf:
            fail(f"{about} you return the forbidden token {token}: keep the noise finite", 0.75)
