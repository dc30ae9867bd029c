"""Checks of set 02 about values: ranking texts of different lengths, stopping early, pruning."""

from __future__ import annotations

import math

from decodelab.grading._cases import same_answers
from decodelab.grading._checks import (
    TOLERANCE,
    as_number,
    as_tokens,
    call,
    fail,
    need_function,
    same_number,
    show,
)

__all__ = ["can_stop", "gap_in_nats", "rank"]


# --- 5: ranking -----------------------------------------------------------------------------------

# Prompt length, then texts as (new tokens, log_prob); 0 ends a text. Known faults B30 to B33, in turn.
_RANKED = (
    (0, ((2, 0), -2.0), ((1, 1, 2, 0), -2.4)),
    (100, ((2, 0), -2.0), ((1, 1, 2, 0), -2.4)),
    (1, ((1, 0), -1.0), ((1, 2, 1, 0), -2.4)),
    (2, ((1, 0), -2.1), ((1, 2, 1), -3.0), ((2, 2, 2, 2, 0), -4.4)),
    (0, ((1, 0), -1.5), ((2, 0), -1.5), ((1, 1, 0), -1.8)),
)
_ALPHAS = (0, 1, 0.5, 2, -1)


def rank(answer) -> str:
    """Positions of the texts, best value first, with the end counted and the prompt not."""
    need_function(answer, "rank")
    cases = [(alpha, *case) for case in _RANKED for alpha in _ALPHAS]
    abouts = [_about(*case) for case in cases]
    orders = [_order(answer, *case, about) for case, about in zip(cases, abouts, strict=True)]
    slips = {clause: [_by(value, *case) for case in cases] for clause, value in _RANK_SLIPS.items()}
    slips["the worst comes first"] = [_by(_value, *case)[::-1] for case in cases]
    slips["a tie goes to the lower position"] = [_by(_value, *case, last=True) for case in cases]
    right = [_by(_value, *case) for case in cases]

    def explain(order, due):
        alpha, prompt, *new = cases[next(i for i, r in enumerate(right) if r is due)]
        values = ", ".join(show(_value(s, tokens, alpha, prompt)) for tokens, s in new)
        return f"but the values are {values}"

    same_answers(orders, right, abouts, slips, equal=list.__eq__, write=str, explain=explain)
    return f"the order agrees for {len(_RANKED)} lists of texts and {len(_ALPHAS)} values of alpha"


def _about(alpha, prompt_length: int, *new) -> str:
    texts = ", ".join(f"{'p' * min(prompt_length, 2)}{tokens}: {show(s)}" for tokens, s in new)
    prompt = f" (p: a prompt of {prompt_length})" if prompt_length else ""
    return f"for {texts}{prompt} and alpha = {alpha}"


def _order(answer, alpha, prompt_length: int, *rest) -> list[int]:
    *new, about = rest
    prompt = tuple(1 + i % 2 for i in range(prompt_length))
    texts = [((*prompt, *tokens), score) for tokens, score in new]
    order = list(as_tokens(call(answer, texts, alpha, prompt_length, about=about), f"{about} the answer"))
    if sorted(order) != list(range(len(new))):
        fail(f"{about} you give {order}: return the positions 0 to {len(new) - 1}, each once")
    return order


def _value(score, tokens, alpha, prompt_length):
    return score / len(tokens) ** alpha


_RANK_SLIPS = {
    "every text is divided by the same length": lambda s, t, a, n: s,
    "the prompt is counted": lambda s, t, a, n: s / (n + len(t)) ** a,
    "the end token is not counted": lambda s, t, a, n: s / (len(t) - (t[-1] == 0)) ** a,
    "the exponent has the wrong sign, a larger alpha favours longer texts": lambda s, t, a, n: (
        s * len(t) ** a
    ),
}


def _by(value, alpha, prompt_length: int, *new, last: bool = False) -> list[int]:
    """The order of the texts by `value`, ties to the lower position (`last`: the higher)."""
    found = [value(score, tokens, alpha, prompt_length) for tokens, score in new]
    return sorted(range(len(new)), key=lambda i: (-found[i], -i if last else i))


# --- 6: stopping early ----------------------------------------------------------------------------

_STOPS = (  # finished, live, alpha, max_tokens: pairs (length, log_prob)
    ([(2, -2.0)], [(3, -2.2)], 0, 10),
    ([(2, -2.0)], [(3, -2.2)], 1, 10),
    ([(2, -2.0)], [(3, -2.2), (2, -11.0)], 1, 4),
    ([(3, -2.0)], [(2, -2.8)], 1, 4),
    ([(3, -2.0)], [(2, -2.6)], 1, 4),
    ([(3, -2.0)], [(2, -2.6)], 1, 3),
    ([(2, -2.5), (4, -2.0)], [(4, -2.4)], 0.5, 6),
    ([(2, -2.5), (4, -2.0)], [(4, -2.6)], 0.5, 6),
    ([(2, -2.0)], [(1, -0.9)], -1, 9),
    ([(2, -2.0)], [(1, -1.9)], -1, 9),
    ([(4, -2.0)], [(2, -2.9), (3, -2.5)], -1, 9),
    ([(5, -2.0)], [(3, -2.0)], 0, 9),
    ([], [(2, -9.0)], 1, 5),
    ([(2, -9.0)], [], 1, 5),
    ([(2, -2.0)], [(4, -4.0)], 1, 4 + 1),
)


def can_stop(answer) -> str:
    """True exactly when no live hypothesis can still end above the best finished one."""
    need_function(answer, "can_stop")
    for finished, live, alpha, max_tokens in _STOPS:
        about = f"for finished {finished}, live {live}, alpha = {alpha}, max_tokens = {max_tokens}"
        arguments = list(finished), list(live), alpha, max_tokens
        stops = bool(as_number(call(answer, *arguments, about=about), f"{about} the answer"))
        best = max((s / n**alpha for n, s in finished), default=-math.inf)
        ends = [(s / n**alpha, n, s) for length, s in live for n in range(length + 1, max_tokens + 1)]
        reach, at, score = max(ends, default=(-math.inf, 0, 0))
        if stops and best < reach:
            why = f"log_prob {score} may end at length {at} with value {show(reach)}, above {show(best)}"
            fail(f"{about} you stop, but {why}")
        if not stops and best >= reach:
            why = f"no live one can end above {show(reach)}, and {show(best)} is finished"
            fail(f"{about} you go on, but {why}")
    return f"the decision agrees in {len(_STOPS)} cases"


# --- 7: pruning -----------------------------------------------------------------------------------


def gap_in_nats(answer) -> str:
    """How far below the best a log-score may lie if it must be at least `factor` times the best."""
    need_function(answer, "gap_in_nats")
    cases = [(f, math.log(p)) for f in (1.5, 1.1, 2.0) for p in (0.35, 0.9, 0.01, 1e-6)] + [(1.5, 0.0)]
    for factor, best in cases:
        about, right = f"for factor {factor} and a best score of {show(best)}", (factor - 1) * -best
        value = as_number(call(answer, factor, best, about=about), f"{about} the gap")
        slips = {
            "that is the threshold itself, how far below the best is it?": factor * best,
            "the sign is wrong, the gap is not negative": -right,
            "a factor on a log-score is no factor on the probability": math.log(factor),
            "that is the ratio of the probabilities, give its logarithm": math.exp(-right),
            "that is measured from 0, not from the best": -factor * best,
        }
        same_number(value, right, about=about, slips=slips)
    return f"the gap agrees in {len(cases)} cases ({TOLERANCE})"
