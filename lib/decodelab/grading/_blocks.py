"""Check of set 06 on block verification, from the formulas of its paper and not from the library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np

from decodelab.grading._checks import as_number, call, fail, need_function, plain, short, unchanged
from decodelab.grading._named import Case, partly, same_laws, show_row
from decodelab.grading._one_draft import STRICT, at_edge, normal, ratio
from decodelab.grading._round_laws import (
    Chain,
    Rows,
    Setting,
    chain_of,
    first_failing,
    law_of_row,
    ratios,
    round_law,
    row_after,
)
from decodelab.grading._rounds import explain_round
from decodelab.grading._sentences import context_rows
from decodelab.tree import Prefix

__all__ = ["block_law", "block_verify"]


# --- the law ---------------------------------------------------------------------------------------------


def _joint(chain: Chain) -> list[float]:
    """a_0 = 1, a_1, ...: the running ratio, cut at 1 in every step."""
    a = [1.0]
    for p, q, x in zip(chain.p, chain.q, chain.x, strict=False):
        a.append(min(1.0, a[-1] * p[x] / q[x]))
    return a


def _thresholds(chain: Chain, joint=_joint) -> list[float]:
    """h_1 to h_gamma."""
    a = joint(chain)
    return [*(_below(chain, i, a[i]) for i in range(1, len(chain.x))), min(a[-1], 1.0)][: len(chain.x)]


def _below(chain: Chain, i: int, a: float) -> float:
    left_over = sum(_excess(chain, i, a))
    return min(1.0, left_over / (left_over + 1 - a)) if left_over + 1 - a > 0 else 1.0


def _excess(chain: Chain, i: int, a: float) -> list[float]:
    return [max(a * float(p) - float(q), 0.0) for p, q in zip(chain.p[i], chain.q[i], strict=True)]


def _longest(h: Sequence[float]) -> list[float]:
    """The chance of 0, 1, ... kept drafts if the longest that passes its own test counts."""
    passed = [1.0, *h]
    return [a * math.prod(1 - b for b in passed[k + 1 :]) for k, a in enumerate(passed)]


def _block_after(chain: Chain, k: int, joint=_joint):
    """What follows k kept drafts: the residual with the running ratio, or the target's row at the end."""
    excess = _excess(chain, k, joint(chain)[k])
    rest = normal(excess) if k < len(chain.x) and sum(excess) > 0 else chain.p[k]
    return law_of_row(rest)


def block_law(setting: Setting, **wrong) -> dict[Prefix, float]:
    """The law of the tokens that a round of block verification emits, or of a faulty one."""
    right = {"kept": lambda chain: _longest(_thresholds(chain)), "after": _block_after}
    return round_law(setting, **{**right, **wrong})


# --- the check -------------------------------------------------------------------------------------------


def _constant(row: Sequence[float]) -> Rows:
    return {prefix: row for length in range(3) for prefix in product(range(len(row)), repeat=length)}


_BLOCKS = (
    Setting(_constant((1 / 3, 2 / 3)), _constant((2 / 3, 1 / 3)), (), 2),
    Setting(_constant((0.4, 0.3, 0.2, 0.1)), _constant((0.05, 0.1, 0.35, 0.5)), (), 2),
    Setting(context_rows(71), context_rows(72), (), 3),
    Setting(context_rows(73, -3), context_rows(74, -1), (), 2),
    Setting(context_rows(75), context_rows(75), (), 2),
    Setting(context_rows(76), context_rows(77), (), 1),
)


def block_verify(answer) -> str:
    """The joint law of the tokens that block verification emits for drafts from q."""
    need_function(answer, "block_verify")
    cases = [_block_case(answer, setting) for setting in _BLOCKS]
    slips = {
        clause: (lambda i, wrong=wrong: block_law(_BLOCKS[i], **wrong))
        for clause, wrong in _BLOCK_SLIPS.items()
    }
    how = same_laws(cases, slips, partial(explain_round, place="after the tokens"))
    partly(0.75, _blocks_at_edge, answer)
    return f"kept drafts and the next token have their joint law in {how}"


def _block_case(answer, setting: Setting) -> Case:
    rows = f"p = {show_row(setting.p[()])} and q = {show_row(setting.q[()])}"
    same = len({tuple(row) for row in setting.p.values()}) == 1
    about = f"for gamma = {setting.gamma} and {rows} at {'every' if same else 'the first'} place"

    def run(rng):
        x: Prefix = ()
        while len(x) < setting.gamma:
            x += (rng.categorical(np.array(setting.q[x])),)
        chain = chain_of(setting, x)
        p, q = np.array(chain.p, dtype=float), np.array(chain.q[: len(x)], dtype=float)
        lent = p.copy(), q.copy()
        value = call(answer, *lent, x, rng=rng, about=about)
        unchanged(lent[0], p, about)
        unchanged(lent[1], q, about)
        return _emitted(value, x, p.shape[1], about)

    return Case(run, block_law(setting), about, setting)


def _emitted(value, x: Prefix, size: int, about: str) -> Prefix:
    parts = plain(value)
    if not isinstance(parts, list) or len(parts) != 2:
        fail(f"{about} you return {short(value)}: return (kept, token), two whole numbers")
    kept, token = (as_number(part, f"{about} each of both") for part in parts)
    if kept not in range(len(x) + 1):
        fail(f"{about} you keep {short(parts[0])} drafts: it is a whole number from 0 to {len(x)}")
    if token not in range(size):
        fail(f"{about} you return {short(parts[1])} as the next token: it is an id from 0 to {size - 1}")
    return (*x[: int(kept)], int(token))


_NEVER, _EVEN = (0.0, 0.5, 0.5), (0.5, 0.5, 0.0)  # the target never gives 0, and the draft does
_EDGES = (((_NEVER, _EVEN), (0,)), ((_EVEN, _NEVER, _EVEN), (1, 0)), ((_NEVER, _EVEN, _EVEN), (0, 1)))


def _blocks_at_edge(answer) -> None:
    for p, x in _EDGES:
        about = f"for p = {', '.join(map(show_row, p))}, q = (.5, .5, 0), drafts {x}, if every uniform is 0,"
        value = at_edge(answer, np.array(p), np.array([_EVEN] * len(x)), x, u=0.0, about=about)
        tokens = () if value is None else _emitted(value, x, 3, about)
        wrong = [token for row, token in zip(p, tokens, strict=False) if row[token] == 0]
        if wrong:
            fail(f"{about} the text gets {wrong[0]} where p gives it nothing: {STRICT.replace('p/q', 'h')}")


def _uncut(chain: Chain) -> list[float]:
    a = [1.0]
    for p, q, x in zip(chain.p, chain.q, chain.x, strict=False):
        a.append(a[-1] * p[x] / q[x])
    return a


def _cut_factors(chain: Chain) -> list[float]:
    a = [1.0]
    for p, q, x in zip(chain.p, chain.q, chain.x, strict=False):
        a.append(a[-1] * ratio(p, q, x))
    return a


def _without_a(chain: Chain) -> list[float]:
    a = _joint(chain)
    left_over = [sum(_excess(chain, i, 1.0)) for i in range(1, len(chain.x))]
    return [
        *(s / (s + 1 - b) if s + 1 - b > 0 else 1.0 for s, b in zip(left_over, a[1:], strict=False)),
        a[-1],
    ]


def _with(joint) -> dict:
    return {
        "kept": lambda chain: _longest(_thresholds(chain, joint)),
        "after": lambda chain, k: _block_after(chain, k, joint),
    }


def _with_one_uniform(chain: Chain) -> list[float]:
    h = [1.0, *_thresholds(chain)]
    reached = [max(h[k:]) for k in range(len(h))]
    return [a - b for a, b in zip(reached, [*reached[1:], 0.0], strict=True)]


_BLOCK_SLIPS = {
    "you take h_i = a_i, which holds for the last draft alone": {"kept": lambda c: _longest(_joint(c)[1:])},
    "you draw the next token from (p - q)+, it is (a p - q)+": {
        "after": lambda c, k: law_of_row(row_after(c, k))
    },
    "you draw the next token from p, it is (a p - q)+ unless all drafts are kept": {
        "after": lambda c, k: law_of_row(c.p[k])
    },
    "you do not cut a at 1": _with(_uncut),
    "you cut each ratio at 1, cut the running product": _with(_cut_factors),
    "you cut the product at the end, cut it in every step": _with(lambda c: [min(1.0, a) for a in _uncut(c)]),
    "you leave a out of S_i": {"kept": lambda c: _longest(_without_a(c))},
    "you leave a out, of S_i and of the next token's row": {
        "kept": lambda c: _longest(_without_a(c)),
        "after": lambda c, k: law_of_row(row_after(c, k)),
    },
    "you stop at the first draft that fails, the longest that passes counts": {
        "kept": lambda c: first_failing(_thresholds(c))
    },
    "you test all with one uniform, each needs its own": {"kept": _with_one_uniform},
    "you verify token by token": {
        "kept": lambda c: first_failing(ratios(c)),
        "after": lambda c, k: law_of_row(row_after(c, k)),
    },
    "you draw the last token from the row before the last draft": {
        "after": lambda c, k: law_of_row(c.p[k - 1]) if k == len(c.x) else _block_after(c, k)
    },
}
