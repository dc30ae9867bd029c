"""Check of set 06 on a round of a chain, and the law of any round of drafts.

The law of what a round emits is a sum over the drafts: how likely they are, how many are kept, and what
comes after those. A fault changes one of the three. The library's rules are not used here, on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from decodelab.grading._checks import as_tokens, call, fail, need_function, show
from decodelab.grading._laws import worst_outcome
from decodelab.grading._lent import Lent
from decodelab.grading._named import Alike, Case, same_laws
from decodelab.grading._one_draft import left, ratio
from decodelab.grading._sentences import compare_sentences, context_rows
from decodelab.grading.answers import CheckFailed
from decodelab.tree import Prefix

__all__ = [
    "Chain",
    "Setting",
    "chain_of",
    "chain_round",
    "explain_round",
    "first_failing",
    "law_of_row",
    "ratios",
    "round_law",
    "row_after",
]

Rows = Mapping[Prefix, Sequence[float]]
Law = dict[Prefix, float]


class Chain(NamedTuple):
    """Drafted tokens x, and the rows after each: p (gamma + 1), q (gamma + 1, the last not drawn from)."""

    x: Prefix
    p: list
    q: list


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


def _after(chain: Chain, k: int) -> Law:
    """The law of what a round emits after k kept drafts."""
    return law_of_row(row_after(chain, k))


def round_law(
    setting: Setting,
    kept: Callable[[Chain], list[float]] = lambda chain: first_failing(ratios(chain)),
    after: Callable[[Chain, int], Law] = _after,
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
    return Chain(x, p, [setting.q[setting.prefix + drafted_after(head)] for head in heads])


def _texts(law: Law, setting: Setting) -> Law:
    """The law of the prefix and gamma + 1 tokens after it: the target goes on where a round is short."""
    whole: Law = {}
    length = len(setting.prefix) + setting.gamma + 1
    for tokens, mass in law.items():
        start = setting.prefix + tokens
        for rest in product(range(len(setting.p[setting.prefix])), repeat=length - len(start)):
            text, chance = start + rest, mass
            for i in range(len(start), length):
                chance *= float(setting.p[text[:i]][text[i]])
            if chance > 0:
                whole[text] = whole.get(text, 0.0) + chance
    return whole


def _mean_length(law: Law) -> float:
    return sum(mass * len(tokens) for tokens, mass in law.items())


def explain_round(case: Case, found: Law, clause: str, alike: Alike) -> None:
    """Fail: the law of the text is wrong, or it is right and a round keeps too few drafts."""
    setting, told = case.given, case.about + (f" {clause}: " if clause else ", ")
    mine, due = _texts(found, setting), _texts({(): 1.0}, setting)
    if alike(mine, due):
        tokens, right = _mean_length(found), _mean_length(case.right)
        if alike({(): tokens}, {(): right}):
            fail(told + worst_outcome(found, case.right))
        text = f"the text keeps its law, but a round gives {show(tokens)} tokens, not {show(right)}"
        fail(told + text, 0.5)
    length = len(setting.prefix) + setting.gamma + 1
    try:
        compare_sentences(mine, due, end=-1, max_tokens=length, setting=case.about)
    except CheckFailed as failure:
        fail(f"{told}{failure}")


# --- a round of a chain ----------------------------------------------------------------------------------

_ROUNDS = (
    Setting(context_rows(61), context_rows(62), (), 2),
    Setting(context_rows(63), context_rows(64), (1,), 3),
    Setting(context_rows(65, -3), context_rows(68, -3), (2, 0), 2),
    Setting(context_rows(67), context_rows(67), (0,), 2),
    Setting(context_rows(69), context_rows(70), (0, 1, 2), 1),
    Setting(context_rows(61), context_rows(62), (2,), 0),
)


def chain_round(answer) -> str:
    """The joint law of the tokens of a round over models whose rows depend on the whole prefix."""
    need_function(answer, "chain_round")
    lent = [(Lent(dict(setting.p)), Lent(dict(setting.q))) for setting in _ROUNDS]
    cases = [_round_case(answer, *models, setting) for models, setting in zip(lent, _ROUNDS, strict=True)]
    slips = {
        clause: (lambda i, wrong=wrong: round_law(_ROUNDS[i], **wrong))
        for clause, wrong in _ROUND_SLIPS.items()
    }
    how = same_laws(cases, slips, explain_round)
    for model in (model for models in lent for model in models):
        model.check_unchanged()
    return f"the tokens of a round have their joint law in {how}"


def _round_case(answer, target: Lent, draft: Lent, setting: Setting) -> Case:
    about = f"with prefix {setting.prefix} and gamma = {setting.gamma}"

    def run(rng):
        value = call(answer, target, draft, setting.prefix, setting.gamma, rng=rng, about=about)
        tokens = as_tokens(value, f"{about} the answer")
        _fits(tokens, setting, about)
        return tokens

    return Case(run, round_law(setting), about, setting)


def _fits(tokens: Prefix, setting: Setting, about: str) -> None:
    most = setting.gamma + 1
    if not tokens:
        fail(f"{about} you return no token: the target always adds one to the drafts that are kept")
    if len(tokens) > most:
        fail(f"{about} you return {len(tokens)} tokens: the new ones alone are wanted, {most} at most")
    if max(tokens) > 2:
        fail(f"{about} you return {tokens}, the last token is 2")


def _all_kept(chain: Chain) -> list[float]:
    return [0.0] * len(chain.x) + [1.0]


def _with_one_uniform(chain: Chain) -> list[float]:
    passed = [1.0]
    for a in ratios(chain):
        passed.append(min(passed[-1], a))
    return [a - b for a, b in zip(passed, [*passed[1:], 0.0], strict=True)]


def _at_end(row: Callable[[Chain], Sequence[float]]) -> Callable[[Chain, int], Law]:
    """After a fully kept block another row; else as it should be."""
    return lambda c, k: law_of_row(row(c)) if k == len(c.x) else _after(c, k)


def _on_rejection(row: Callable[[Chain, int], Sequence[float]]) -> Callable[[Chain, int], Law]:
    """After a rejection another row; else as it should be."""
    return lambda c, k: law_of_row(row(c, k)) if k < len(c.x) else _after(c, k)


def _then(rest: Callable[[Chain, int], Law]) -> Callable[[Chain, int], Law]:
    """After the token that replaces a rejected draft something more."""
    return lambda c, k: (
        {t + more: m * x for t, m in _after(c, k).items() for more, x in rest(c, k).items()}
        if k < len(c.x)
        else _after(c, k)
    )


_ROUND_SLIPS = {
    "you draw the extra token from the draft model, it is the target's": {
        "after": _at_end(lambda c: c.q[-1])
    },
    "you draw the extra token from the row before the last draft, take the one after it": {
        "after": _at_end(lambda c: c.p[max(len(c.x) - 1, 0)])
    },
    "you add no token where every draft is kept": {
        "after": lambda c, k: _after(c, k) if k < len(c.x) or not c.x else {(): 1.0}
    },
    "you judge a draft by the target's row after it, take the row before it": {
        "seen": lambda c: Chain(c.x, [*c.p[1:], c.p[-1]], c.q)
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
        "seen": lambda c: Chain(c.x, c.p, [c.q[0]] * len(c.q))
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
}
