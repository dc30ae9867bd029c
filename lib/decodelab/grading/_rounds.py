"""Check of set 06 on a round of a chain, and the words for the law of a round."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from decodelab.grading._checks import apart, as_tokens, call, fail, need_function
from decodelab.grading._laws import worst_outcome
from decodelab.grading._lent import Lent
from decodelab.grading._named import Alike, Case, partly, plural, same_laws
from decodelab.grading._one_draft import STRICT, at_edge
from decodelab.grading._round_laws import ROUND_SLIPS, Law, Setting, round_law
from decodelab.grading._sentences import compare_sentences, context_rows
from decodelab.grading.answers import CheckFailed
from decodelab.tree import Prefix

__all__ = ["chain_round", "explain_round"]


# --- the words -------------------------------------------------------------------------------------------


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


def explain_round(case: Case, found: Law, clause: str, alike: Alike, *, place: str = "after prefix") -> None:
    """Fail: the law of the text is wrong, or it is right and a round keeps too few drafts."""
    setting, told = case.given, case.about + (f" {clause}: " if clause else ", ")
    mine, due = _texts(found, setting), _texts({(): 1.0}, setting)
    if alike(mine, due):
        tokens, right = _mean_length(found), _mean_length(case.right)
        if alike({(): tokens}, {(): right}):
            fail(told + worst_outcome(found, case.right))
        few, due = apart(tokens, right)
        text = f"the text keeps its law, but a round gives {few} {plural(tokens, 'token')}, not {due}"
        fail(told + text, 0.5 if _are_drafts(found, setting, alike) else 0.0)
    length = len(setting.prefix) + setting.gamma + 1
    try:
        compare_sentences(mine, due, end=-1, max_tokens=length, setting=case.about)
    except CheckFailed as failure:
        fail(f"{told}{str(failure).replace('after prefix', place, 1)}")


def _are_drafts(found: Law, setting: Setting, alike: Alike) -> bool:
    """Can all tokens but the last be drafts that were kept? None then begins a round more often than drafted.

    A round of two drafts or more that never keeps one is no beginning of an answer.
    """
    begins: Law = {}
    for tokens, mass in found.items():
        for k in range(1, len(tokens)):
            begins[tokens[:k]] = begins.get(tokens[:k], 0.0) + mass
    chances = {
        x: math.prod(float(setting.q[setting.prefix + x[:i]][x[i]]) for i in range(len(x))) for x in begins
    }
    excess = {x: max(mass - chances[x], 0.0) for x, mass in begins.items()}
    return alike(excess, {}) and (setting.gamma < 2 or not alike(begins, {}))


# --- a round of a chain ----------------------------------------------------------------------------------

_ROUNDS = (
    Setting(context_rows(61), context_rows(62), (), 2),
    Setting(context_rows(63), context_rows(64), (1,), 3),
    Setting(context_rows(65, -3), context_rows(68, -3), (2, 0), 2),
    Setting(context_rows(67), context_rows(67), (0,), 2),
    Setting(context_rows(69), context_rows(70), (0, 1, 2), 1),
    Setting(context_rows(61), context_rows(62), (2,), 0),
)
_APART = np.array([0, 0.5, 0.5]), np.array([0.5, 0.5, 0])  # a draft of 0 is impossible for the target


def chain_round(answer) -> str:
    """The joint law of the tokens of a round over models whose rows depend on the whole prefix."""
    need_function(answer, "chain_round")
    lent = [(Lent(dict(setting.p)), Lent(dict(setting.q))) for setting in _ROUNDS]
    cases = [_round_case(answer, *models, setting) for models, setting in zip(lent, _ROUNDS, strict=True)]
    slips = {
        clause: (lambda i, wrong=wrong: round_law(_ROUNDS[i], **wrong))
        for clause, wrong in ROUND_SLIPS.items()
    }
    how = same_laws(cases, slips, explain_round)
    for model in (model for models in lent for model in models):
        model.check_unchanged()
    partly(0.75, _rounds_at_edge, answer)
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
        many = f"{len(tokens)} {plural(len(tokens), 'token')}"
        fail(f"{about} you return {many}: the new ones alone are wanted, {most} at most")
    if max(tokens) > 2:
        fail(f"{about} you return {tokens}, the last token is 2")


def _rounds_at_edge(answer) -> None:
    p, q = ({x: row for n in range(4) for x in product(range(3), repeat=n)} for row in _APART)
    for gamma in (1, 2):
        about = f"for p = (0, .5, .5), q = (.5, .5, 0) and gamma = {gamma}, if every uniform is 0,"
        value = at_edge(answer, Lent(p), Lent(q), (), gamma, u=0.0, about=about)
        tokens = () if value is None else as_tokens(value, f"{about} the answer")
        if 0 in tokens:
            fail(f"{about} you return {tokens}, though p gives 0 nothing: {STRICT}")
