"""Checks of set 02: searching for probable text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

import numpy as np

from decodelab import city, models
from decodelab.grading._beams import (
    Watched,
    as_model,
    as_pair,
    beams_of,
    best_slips,
    error_slips,
    explain_beam,
    numbers_of,
    search_error_of,
    students_rows,
)
from decodelab.grading._cases import same_numbers
from decodelab.grading._checks import (
    TOLERANCE,
    as_number,
    as_tokens,
    call,
    close,
    fail,
    need_function,
    plain,
    same_number,
    same_secret,
    short,
    show,
)
from decodelab.grading._lent import Lent
from decodelab.grading._ranking import can_stop, gap_in_nats, rank
from decodelab.grading._sentences import complete, context_rows, sentence_masses

__all__ = [
    "beam_step",
    "best_first",
    "best_prob",
    "can_stop",
    "gap_in_nats",
    "greedy_texts",
    "most_calls",
    "rank",
    "search_error",
    "steps_survived",
]


# --- 1: ties of greedy ----------------------------------------------------------------------------


def _slide_rows() -> dict:
    """I, then like or love, .4 each; then singing: .6 after like, .5 after love."""
    rows = {(): [0, 0.4, 0.3, 0.2, 0.1], (1,): [0, 0.1, 0.4, 0.4, 0.1]}
    rows |= {(1, 2): [0.2, 0.1, 0, 0.1, 0.6], (1, 3): [0.2, 0.2, 0, 0.1, 0.5]}
    rows |= {(1, 2, 4): [0.9, 0.1, 0, 0, 0], (1, 3, 4): [0.9, 0.1, 0, 0, 0]}
    return {prefix: np.array(row) for prefix, row in rows.items()}


def _rows_with_ties() -> dict:
    rows = {prefix: np.array([0.25, 0.375, 0.375]) for prefix in context_rows(0)}
    rows[()] = np.array([0.25, 0.25, 0.5])
    rows[2, 1] = np.array([0.5, 0.5, 0])
    rows[2, 2] = np.array([0.75, 0.125, 0.125])
    return rows


def greedy_texts(answer) -> str:
    """Every text that greedy decoding can return if a tie may go either way, with its probability."""
    need_function(answer, "greedy_texts")
    settings = (
        (_rows_with_ties(), 0, 4),
        (context_rows(24), 2, 4),
        (_slide_rows(), 0, 3),
        (_slide_rows(), 0, 4),
    )
    for rows, end, max_tokens in settings:
        about, lm = f"with end = {end}, max_tokens = {max_tokens}", Lent(rows)
        value = call(answer, lm, end=end, max_tokens=max_tokens, about=about)
        lm.check_unchanged()
        _same_texts(value, _greedy_masses(rows, end, max_tokens), about, end, max_tokens)
    return f"texts and probabilities agree on {len(settings)} models, two with ties ({TOLERANCE})"


def _greedy_masses(rows: dict, end: int, max_tokens: int, prefix=()) -> dict:
    if complete(prefix, end) or len(prefix) == max_tokens:
        return {prefix: 1.0}
    masses, top = {}, max(rows[prefix])
    for token in np.flatnonzero(rows[prefix] == top).tolist():
        rest = _greedy_masses(rows, end, max_tokens, (*prefix, token))
        masses |= {text: float(top) * mass for text, mass in rest.items()}
    return masses


def _same_texts(value, right: dict, about: str, end: int, max_tokens: int) -> None:
    if not isinstance(value, Mapping):
        fail(f"{about} you return {short(value)}: return a dict from text to probability")
    found = {as_tokens(text, "each key of the dict"): mass for text, mass in value.items()}
    for text in found:
        if len(text) > max_tokens or end in text[:-1]:
            fail(f"{about} you give {text}, which is longer than max_tokens or goes on after the end")
        if text not in right:
            fail(f"{about} you give {text}, which takes a token that is not the likeliest, or stops too soon")
    if lacking := [text for text in right if text not in found]:
        fail(f"{about} {lacking[0]} is missing: a tie may go to this text too", 0.25)
    for text, mass in right.items():
        number = as_number(found[text], f"the probability of {text}")
        slips = {"that is the log-probability": math.log(mass), "that is a share": 1 / len(right)}
        same_number(number, mass, about=f"{about} for the probability of {text}", slips=slips, credit=0.5)


# --- 2: one step of a beam ------------------------------------------------------------------------

_SEARCHES = ((11, 0, 2, 1), (16, 2, 3, 1), (21, 1, 4, -3), (22, 0, 3, -3))  # seed, end, width, floor
_BEAMS = (  # made by hand: a finished hypothesis that must go, two ties, a beam wider than the vocabulary
    ([((0,), -4.0), ((1,), -0.5), ((2,), -0.6)], 2, 0),
    ([((1, 0), -0.7), ((2, 0), -0.8), ((0,), -1.5)], 3, 0),
    ([((), 0.0)], 5, 0),
)


def beam_step(answer) -> str:
    """Grow, keep what is finished, and take the best `width` of all."""
    need_function(answer, "beam_step")
    number = 0
    for seed, end, width, floor in _SEARCHES:
        rows = context_rows(seed, floor)
        for beam in beams_of(rows, width, end, 3):
            _step(answer, rows, beam, width, end)
            number += 1
    for beam, width, end in _BEAMS:
        _step(answer, context_rows(26), beam, width, end)
    _step(answer, _rows_with_ties(), [((1,), -1.0), ((2,), -1.0)], 3, 0)
    return f"the beam agrees after {number + len(_BEAMS) + 1} steps, order and scores included ({TOLERANCE})"


def _step(answer, rows: dict, beam: list, width: int, end: int) -> None:
    about = f"from the beam {[tokens for tokens, _ in beam]} with width {width}, end {end}"
    about = about if len(about) < 110 else f"from a beam of {len(beam)} with width {width}, end {end}"
    lm, given = Watched(rows), list(beam)
    value = plain(call(answer, lm, given, width, end=end, about=about))
    lm.check_unchanged()
    if given != beam:
        fail(f"{about} your function changes the beam it was given: build a new list", 0.5)
    if not isinstance(value, list):
        fail(f"{about} you return {short(value)}: return a list of (tokens, log_prob)")
    found = [as_pair(item, f"{about}, in the list,") for item in value]
    explain_beam(found, beam, rows, width, end, about)
    if wasted := [tokens for tokens in sorted(lm.asked) if complete(tokens, end)]:
        fail(f"{about} you ask the model what follows {wasted[0]}, but that is finished", 0.75)


# --- 3: the cost ----------------------------------------------------------------------------------


def most_calls(answer) -> str:
    """The greatest possible number of model calls: every live hypothesis of every step."""
    need_function(answer, "most_calls")
    cases = [(k, T, V) for k in (1, 2, 4, 16, 100) for T in (1, 2, 3, 10) for V in (128_256, 71, 4, 3, 2)]
    abouts = [f"for width {k}, {T} steps, vocabulary {V}" for k, T, V in cases]
    values = [
        as_number(call(answer, *case, about=about), f"{about} the number")
        for case, about in zip(cases, abouts, strict=True)
    ]
    slips = {clause: [slip(*case) for case in cases] for clause, slip in _CALL_SLIPS.items()}
    same_numbers(values, [_live(*case) for case in cases], abouts, slips)
    return f"the number agrees in {len(cases)} cases"


def _live(width: int, steps: int, branches: int, end: int = 1) -> int:
    return sum(min(width, (branches - end) ** t) for t in range(steps))


_CALL_SLIPS = {
    "the first step has one prefix, not as many as the beam is wide": lambda k, T, V: k * T,
    "one of the tokens is the end, and what is finished does not grow": lambda k, T, V: _live(k, T, V, 0),
    "a small vocabulary cannot fill the beam so soon": lambda k, T, V: 1 + k * (T - 1),
    "after the last step no row is needed": lambda k, T, V: _live(k, T + 1, V),
}


# --- 4: where a text is lost ----------------------------------------------------------------------


def steps_survived(answer) -> str:
    """After how many steps the beam still holds the beginning of a text."""
    need_function(answer, "steps_survived")
    cases = []
    for seed, end, width in ((16, 0, 2), (26, 2, 3), (33, 0, 1)):
        rows = context_rows(seed)
        whole = [s for s in sentence_masses(rows, end, 4) if complete(s, end)]
        cases += [(rows, text, width, end) for text in whole]
    cases.append((models.tabulate(city.oracle(), city.prefixes()), _best_scene(), 16, city.END))
    abouts = [f"for the text {text} in a beam of width {width}" for _, text, width, _ in cases]
    values = [_survival(answer, *case, about=about) for case, about in zip(cases, abouts, strict=True)]
    right = [_survived(*case) for case in cases]
    slips = {
        "that is the step that loses it, count those it survives": [
            min(steps + 1, len(case[1])) for steps, case in zip(right, cases, strict=True)
        ],
        "the beginnings are not compared, only their last tokens": [_survived(*c, last=True) for c in cases],
        "the beam is one too wide": [_survived(r, text, width + 1, end) for r, text, width, end in cases],
    }
    same_numbers(values, right, abouts, slips)
    found = f"the number agrees for {len(cases) - 1} texts of small models"
    return f"{found}; the scene that wins at alpha = 3 is lost after {right[-1]} words in a beam of width 16"


def _survival(answer, rows: dict, text: tuple, width: int, end: int, *, about: str) -> float:
    lm = Lent(rows)
    value = as_number(call(answer, lm, text, width, end=end, about=about), f"{about} the number")
    lm.check_unchanged()
    return value


def _survived(rows: dict, text: tuple, width: int, end: int, *, last: bool = False) -> int:
    """Tokens of `text` that the beam holds before it loses it; `last`: by the last token alone."""
    beams = beams_of(rows, width, end, len(text))
    for t, beam in enumerate(beams[1:], start=1):
        held = [tokens[-1:] if last else tokens for tokens, _ in beam]
        if text[t - 1 if last else 0 : t] not in held:
            return t - 1
    return len(text)


@cache
def _best_scene() -> tuple[int, ...]:
    """The winner of all sentences under the length penalty of GNMT with alpha = 3, ties to the first."""
    best = max(city.sentences(), key=lambda s: math.log(s.prob) / ((5 + len(s.tokens)) / 6) ** 3)
    return best.tokens


# --- 8: best first --------------------------------------------------------------------------------


def best_first(answer) -> str:
    """The best text, found without asking for a row that cannot matter."""
    need_function(answer, "best_first")
    rows_asked = rows_there = 0
    for seed, end, max_tokens in ((24, 2, 4), (106, 2, 4), (768, 0, 5), (24, 2, 2), (198, 0, 2), (348, 2, 2)):
        rows = context_rows(seed)
        needed = _find_best(answer, rows, end, max_tokens)
        rows_asked += needed
        rows_there += sum(2**t for t in range(max_tokens))
    return f"the best text of 6 models was found with {rows_asked} rows of {rows_there} ({TOLERANCE})"


def _find_best(answer, rows: dict, end: int, max_tokens: int) -> int:
    lm, about = Watched(rows), f"with end = {end}, max_tokens = {max_tokens}"
    text, score = as_pair(call(answer, lm, end=end, max_tokens=max_tokens, about=about), about)
    lm.check_unchanged()
    masses = {s: m for s, m in sentence_masses(rows, end, max_tokens).items() if complete(s, end)}
    right = max(masses, key=masses.get)
    if text not in masses:
        fail(f"{about} you return {text}: no complete text of at most {max_tokens} tokens")
    if text != right:
        better = f"{right} has {show(masses[right])}"
        fail(f"{about} you return {text} of probability {show(masses[text])}, but {better}")
    slips = {"that is the probability": masses[right], "the sign is wrong": -math.log(masses[right])}
    about_score = f"{about} for the log_prob of {right}"
    same_number(score, math.log(masses[right]), about=about_score, slips=slips, credit=0.5)
    for prefix in sorted(lm.asked, key=lambda p: (len(p), p)):
        mass = math.prod(float(rows[prefix[:t]][token]) for t, token in enumerate(prefix))
        if mass < masses[right] and not close(mass, masses[right]):
            less = f"of probability {show(mass)}, but the best text has {show(masses[right])}"
            fail(f"{about} you ask what follows {prefix}, {less}", 0.5)
    return len(lm.asked)


# --- 9: your own model ----------------------------------------------------------------------------


def your_model(student: str) -> models.TableLM:
    """The model of a student's id: three tokens, 0 ends a text; on it a beam of width 2 misses the best."""
    return as_model(students_rows(student))


def best_prob(answer, *, student: str) -> str:
    """The probability of the best text of the student's model."""
    numbers = numbers_of(students_rows(student))
    value = as_number(answer, "best_prob")
    same_secret(value, numbers["best"], about="for the best text", slips=best_slips(numbers))
    return f"the best text has probability {show(numbers['best'])} ({TOLERANCE})"


def search_error(answer, *, student: str) -> str:
    """What a beam of width 2 loses on the student's model, in nats."""
    numbers = numbers_of(students_rows(student))
    right, value = search_error_of(numbers), as_number(answer, "search_error")
    same_secret(value, right, about="for a beam of width 2", slips=error_slips(numbers))
    return f"a beam of width 2 loses {show(right)} nats ({TOLERANCE})"
