"""The law of any round of drafts, and what usual faults make of it.

The law of what a round emits is a sum over the drafts: how likely they are, how many are kept, and what
comes after those. A fault changes one of the three. The library's rules are not used here, on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from decodelab.grading._one_draft import left, ratio
from decodelab.tree import Prefix

__all__ = [
    "ROUND_SLIPS",
    "Chain",
    "Law",
    "Rows",
    "Setting",
    "after_kept",
    "chain_of",
    "first_failing",
    "law_of_row",
    "ratios",
    "round_law",
    "row_after",
]

Rows = Mapping[Prefix, Sequence[float]]
Law = dict[Prefix, float]


class Chain(NamedTuple):
    """Drafted tokens x, and the rows after each: p (gamma + 1), q (gamma + 1, the last not drawn from).

    `target` and `prefix` are those of the setting: for what comes after other tokens than the drafts.
    """

    x: Prefix
    p: list
    q: list
    target: Rows = MappingProxyType({})
    prefix: Prefix = ()


class Setting(NamedTuple):
    """A target and a draft as tables of rows, the prefix of the round and its length."""

    p: Rows
    q: Rows
    prefix: Prefix
    gamma: int


# --- the law of a round ----------------------------------------------------------------------------------


def ratios(chain: Chain) -> list[float]:
    """The chance of each draft to be accepted on its own row."""
    return [ratio(p, q, x) for p, q, x in zip(chain.p, chain.q, chain.x, strict=False)]


def first_failing(chances: Sequence[float]) -> list[float]:
    """The chance of 0, 1, ... kept drafts if each is tested in turn, and the first failure ends it."""
    kept = [math.prod(chances[:k]) * (1 - a) for k, a in enumerate(chances)]
    return [*kept, math.prod(chances)]


def row_after(chain: Chain, k: int):
    """The row of the token after k kept drafts: the residual at its place, or the target's at the end."""
    return left(chain.p[k], chain.q[k]) if k < len(chain.x) else chain.p[k]


def law_of_row(row) -> Law:
    """The law of one token more."""
    return {(token,): float(mass) for token, mass in enumerate(row) if mass > 0}


def after_kept(chain: Chain, k: int) -> Law:
    """The law of what a round emits after k kept drafts."""
    return law_of_row(row_after(chain, k))


def round_law(
    setting: Setting,
    kept: Callable[[Chain], list[float]] = lambda chain: first_failing(ratios(chain)),
    after: Callable[[Chain, int], Law] = after_kept,
    seen: Callable[[Chain], Chain] = lambda chain: chain,
    drafted_after: Callable[[Prefix], Prefix] = lambda x: x,
) -> Law:
    """The law of the tokens that a round emits, by default under rejection.

    Faults: `kept` changes how many drafts are kept, `after` what follows them, `seen` the rows that the
    rule works with, `drafted_after` the drafts that the draft model has read.
    """
    law: Law = {}
    size = len(setting.p[setting.prefix])
    for x in product(range(size), repeat=setting.gamma):
        chain = chain_of(setting, x, drafted_after)
        mass = math.prod(float(row[token]) for row, token in zip(chain.q, x, strict=False))
        if mass == 0:
            continue
        chain = seen(chain)
        for k, chance in enumerate(kept(chain)):
            for tail, share in after(chain, k).items():
                if chance > 0:
                    law[x[:k] + tail] = law.get(x[:k] + tail, 0.0) + mass * chance * share
    return law


def chain_of(setting: Setting, x: Prefix, drafted_after=lambda x: x) -> Chain:
    """The drafts x with the rows that the models give along them."""
    heads = [x[:i] for i in range(len(x) + 1)]
    p = [setting.p[setting.prefix + head] for head in heads]
    q = [setting.q[setting.prefix + drafted_after(head)] for head in heads]
    return Chain(x, p, q, setting.p, setting.prefix)


# --- faults -----------------------------------------------------------------------------------------------


def _all_kept(chain: Chain) -> list[float]:
    return [0.0] * len(chain.x) + [1.0]


def _with_one_uniform(chain: Chain) -> list[float]:
    passed = [1.0]
    for a in ratios(chain):
        passed.append(min(passed[-1], a))
    return [a - b for a, b in zip(passed, [*passed[1:], 0.0], strict=True)]


def _at_end(row: Callable[[Chain], Sequence[float]]) -> Callable[[Chain, int], Law]:
    """After a fully kept block another row; else as it should be."""
    return lambda c, k: law_of_row(row(c)) if k == len(c.x) else after_kept(c, k)


def _on_rejection(row: Callable[[Chain, int], Sequence[float]]) -> Callable[[Chain, int], Law]:
    """After a rejection another row; else as it should be."""
    return lambda c, k: law_of_row(row(c, k)) if k < len(c.x) else after_kept(c, k)


def _then(rest: Callable[[Chain, int], Law]) -> Callable[[Chain, int], Law]:
    """After the token that replaces a rejected draft something more."""
    return lambda c, k: (
        {t + more: m * x for t, m in after_kept(c, k).items() for more, x in rest(c, k).items()}
        if k < len(c.x)
        else after_kept(c, k)
    )


def _patched(chain: Chain) -> Law:
    """Every rejected draft is replaced where it stands, and the rest of the block is kept and tested."""
    law: Law = {(): 1.0}
    for p, q, x in zip(chain.p, chain.q, chain.x, strict=False):
        a = ratio(p, q, x)
        step = {t: (1 - a) * float(m) + a * (t == x) for t, m in enumerate(left(p, q))}
        law = {(*s, t): m * n for s, m in law.items() for t, n in step.items() if n > 0}
    return {s + t: m * n for s, m in law.items() for t, n in law_of_row(chain.p[-1]).items()}


def _one_more(chain: Chain, k: int) -> Law:
    """A token that replaces the draft, and one after it."""
    start = chain.prefix + chain.x[:k]
    return {
        t + more: m * n
        for t, m in after_kept(chain, k).items()
        for more, n in law_of_row(chain.target[start + t]).items()
    }


ROUND_SLIPS = {
    "you draw the extra token from the draft model, it is the target's": {
        "after": _at_end(lambda c: c.q[-1])
    },
    "you draw the extra token from the row before the last draft, take the one after it": {
        "after": _at_end(lambda c: c.p[max(len(c.x) - 1, 0)])
    },
    "you add no token where every draft is kept": {
        "after": lambda c, k: after_kept(c, k) if k < len(c.x) or not c.x else {(): 1.0}
    },
    "you judge a draft by the target's row after it, take the row before it": {
        "seen": lambda c: c._replace(p=[*c.p[1:], c.p[-1]])
    },
    "you replace a rejected draft with the q of the first, take its own": {
        "after": _on_rejection(lambda c, k: left(c.p[k], c.q[0]))
    },
    "you replace a rejected draft with the p of the first, take its own": {
        "after": _on_rejection(lambda c, k: left(c.p[0], c.q[k]))
    },
    "you replace a rejected draft with the rows of the first, take its own": {
        "after": _on_rejection(lambda c, k: left(c.p[0], c.q[0]))
    },
    "you use the q of the first draft for all, take each draft's own": {
        "seen": lambda c: c._replace(q=[c.q[0]] * len(c.q))
    },
    "you replace a rejected draft from p, take the residual": {"after": _on_rejection(lambda c, k: c.p[k])},
    "you leave drafts after a rejected one, they must go": {"after": _then(lambda c, k: {c.x[k + 1 :]: 1.0})},
    "you draw one token too many after a rejection": {"after": _then(lambda c, k: law_of_row(c.p[-1]))},
    "you test all drafts with one uniform, each needs its own": {"kept": _with_one_uniform},
    "you keep every draft": {"kept": _all_kept},
    "you keep a draft only where p >= q": {
        "kept": lambda c: first_failing([float(a >= 1) for a in ratios(c)])
    },
    "you draft every token after the same prefix, the draft model must read its own drafts": {
        "drafted_after": lambda x: ()
    },
    "you go on testing the old drafts after a replacement, the round is over": {
        "kept": lambda c: [1.0] + [0.0] * len(c.x),
        "after": lambda c, k: _patched(c),
    },
    "you draw another token after the one that replaces a rejected draft, the round is over": {
        "after": lambda c, k: _one_more(c, k) if k < len(c.x) else after_kept(c, k)
    },
    "you take all the target's rows after the prefix, take each after the drafts before it": {
        "seen": lambda c: c._replace(p=[c.p[0]] * len(c.p))
    },
}
