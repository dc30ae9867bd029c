"""Checks of set 01: choosing, scoring and drawing sentences."""

from __future__ import annotations

import math

import numpy as np

from decodelab import city
from decodelab.grading._checks import (
    TOLERANCE,
    as_number,
    as_row,
    as_token,
    as_tokens,
    call,
    close,
    fail,
    must_raise,
    need_function,
    same_number,
    same_row,
    same_secret,
    short,
    show,
    unchanged,
)
from decodelab.grading._laws import same_law
from decodelab.grading._lent import Lent
from decodelab.grading._sentences import compare_sentences, complete, context_rows, sentence_masses
from decodelab.grading.student import student_number

__all__ = [
    "expected_score",
    "greedy_token",
    "law_of_redraw",
    "log_score",
    "mention",
    "most_probable",
    "sample_sentence",
    "surprisal",
]

ROWS = ((0.5, 0.3, 0.2), (0.2, 0.5, 0.3), (0.7, 0.2, 0.1), (0.1, 0.6, 0.3), (0.0, 0.4, 0.6))


# --- 1: greedy -------------------------------------------------------------------------------------

_PLAIN = ([1, 3, 2], [-7, -5, -6], [-math.inf, -2, -math.inf], [1000, 1001, 999], [-900, -800])
_TIES = ([5, 7, 7, 1], [2, 2], [-math.inf, 0, 0])
_CLOSE = ([20, 20.01], [0, 1e-17], [-1e-17, 0, 0])
_NAN = ([math.nan, 1, 2], [2, 1, math.nan])


def greedy_token(answer) -> str:
    """The id of the largest logit, ties to the lowest; NaN refused."""
    need_function(answer, "greedy_token")
    for logits in _PLAIN:
        _largest(answer, logits, "the largest logit stands at", 0.0)
    for logits in _TIES:
        _largest(answer, logits, "of equal logits the lowest id wins, here", 0.25)
    for logits in _CLOSE:
        _largest(answer, logits, "a softmax rounds these logits to a tie, but the largest is at", 0.5)
    for logits in _NAN:
        about = f"for logits {logits}"
        array = np.array(logits, dtype=np.float64)
        must_raise(answer, array, kind=ValueError, about=about, credit=0.75)
    return "the id agrees on 11 rows with ties, -inf and near-ties, and NaN is refused"


def _largest(answer, logits, why: str, credit: float) -> None:
    array, about = np.array(logits, dtype=np.float64), f"for logits {logits}"
    token = as_token(call(answer, array, about=about, credit=credit), f"{about} the answer")
    unchanged(array, logits, about)
    right = max(range(len(logits)), key=lambda i: (logits[i], -i))
    if token != right:
        fail(f"{about} you return {token}: {why} {right}", credit)


# --- 2: the score of a sentence --------------------------------------------------------------------

_SENTENCES = ((0,), (1, 0), (2, 1, 0), (1, 2, 2, 0), (1, 1))


def log_score(answer) -> str:
    """The sum of log conditionals; -inf when a token is impossible."""
    need_function(answer, "log_score")
    rows = context_rows(3)
    for sentence in _SENTENCES:
        _score(answer, rows, sentence, 0.0)
    rows[1,] = np.array([0.0, 0.5, 0.5])
    _score(answer, rows, (1, 0), 0.5)
    _score(answer, rows, (), 0.75)
    return f"the score of 7 sentences agrees, an impossible one included ({TOLERANCE})"


def _score(answer, rows: dict, sentence: tuple, credit: float) -> None:
    lm, about = Lent(rows), f"for sentence {sentence}"
    value = as_number(call(answer, lm, sentence, about=about, credit=credit), f"{about} the score")
    lm.check_unchanged()
    right = _log_prob(rows, sentence)
    same_number(value, right, about=about, credit=credit, slips=_score_slips(rows, sentence, right))


def _score_slips(rows: dict, sentence: tuple, right: float) -> dict[str, float]:
    shifted = [rows[sentence[: t + 1]][token] for t, token in enumerate(sentence)]
    alone = [rows[()][token] for token in sentence]
    return {
        "that is the probability, not its logarithm": math.exp(right),
        "the sign is wrong, a logarithm of a probability is not positive": -right,
        "that is in bits, take the natural logarithm": right / math.log(2),
        "the last token is not counted": _log_prob(rows, sentence[:-1]),
        "the prefix is shifted by one, each row must come before its token": _log_sum(shifted),
        "every token is scored after the empty prefix": _log_sum(alone),
        "that is the mean, not the sum": right / max(len(sentence), 1),
    }


def _log_prob(rows: dict, sentence: tuple) -> float:
    return _log_sum([rows[sentence[:t]][token] for t, token in enumerate(sentence)])


def _log_sum(probs) -> float:
    return math.fsum(math.log(p) if p > 0 else -math.inf for p in probs)


# --- 3: drawing a sentence -------------------------------------------------------------------------


def sample_sentence(answer) -> str:
    """The exact law of whole sentences, cut at the budget."""
    need_function(answer, "sample_sentence")
    dense, sparse, how = context_rows(5), context_rows(6, floor=-3), ""
    for rows, end, max_tokens in ((dense, 0, 3), (sparse, 2, 3), (dense, 0, 1)):
        how = _sampler(answer, rows, end, max_tokens)
    return f"the law of whole sentences agrees on 2 models: {how}"


def _sampler(answer, rows: dict, end: int, max_tokens: int) -> str:
    lm, setting = Lent(rows), f"with end = {end}, max_tokens = {max_tokens}"

    def run(rng):
        value = call(answer, lm, end=end, max_tokens=max_tokens, rng=rng, about=setting)
        return as_tokens(value, "the sentence")

    def compare(found, right):
        compare_sentences(found, right, end=end, max_tokens=max_tokens, setting=setting)

    how = same_law(run, sentence_masses(rows, end, max_tokens), compare)
    lm.check_unchanged()
    return how


# --- 4: the law of a small procedure ---------------------------------------------------------------


def law_of_redraw(answer) -> str:
    """Draw from p; if it is token 0, draw once more and keep the second."""
    need_function(answer, "law_of_redraw")
    for p in ROWS:
        array, about = np.array(p), f"for p = {p}"
        row = as_row(call(answer, array, about=about), len(p), f"{about} the law")
        unchanged(array, p, about)
        right = [p[0] ** 2, *(q * (1 + p[0]) for q in p[1:])]
        same_row(row, right, about=about, slips=_redraw_slips(p))
    return f"the law agrees on {len(ROWS)} rows ({TOLERANCE})"


def _redraw_slips(p) -> dict[str, list[float]]:
    rest = 1 - p[0]
    return {
        "you return p itself: the second draw changes it": list(p),
        "token 0 is kept as well as drawn again: the row sums to more than 1": [
            q * (1 + p[0]) for q in p
        ],
        "token 0 gets nothing, but the second draw may be 0 again": [0.0, *(q / rest for q in p[1:])],
    }


# --- 5: exhaustive search --------------------------------------------------------------------------


def _tied_rows() -> dict:
    """(1, 0) and (2, 0) both have probability 1/4, to the last bit; nothing has more."""
    rows = {prefix: np.array([1.0, 0, 0]) for prefix in context_rows(0)}
    rows[()] = np.array([0, 0.5, 0.5])
    rows[1,] = rows[2,] = np.array([0.5, 0.25, 0.25])
    return rows


def most_probable(answer) -> str:
    """The most probable complete sentence within the budget, ties by tokens."""
    need_function(answer, "most_probable")
    # In each the best sentence is not the greedy one; in two it uses the whole budget.
    for seed, end, max_tokens in ((24, 2, 4), (106, 2, 3), (768, 0, 3), (24, 2, 2)):
        _best(answer, context_rows(seed), end, max_tokens, 0.0)
    _best(answer, _tied_rows(), 0, 3, 0.75)
    return f"sentence and log-probability agree on 5 models, ties included ({TOLERANCE})"


def _best(answer, rows: dict, end: int, max_tokens: int, credit: float) -> None:
    lm, about = Lent(rows), f"with end = {end}, max_tokens = {max_tokens}"
    value = call(answer, lm, end=end, max_tokens=max_tokens, about=about)
    lm.check_unchanged()
    if not isinstance(value, tuple | list) or len(value) != 2:
        fail(f"most_probable must return (sentence, log_prob), you give {short(value)}")
    sentence, score = as_tokens(value[0], "the sentence"), as_number(value[1], "log_prob")
    masses = sentence_masses(rows, end, max_tokens)
    right = min((s for s in masses if complete(s, end)), key=lambda s: (-masses[s], s))
    if sentence != right:
        _explain_best(sentence, right, masses, end, f"{about} you return {sentence}", credit)
    log_right = math.log(masses[right])
    slips = {"that is the probability, not its logarithm": masses[right]}
    same_number(score, log_right, about=f"{about} for the log_prob of {right}", slips=slips, credit=0.5)


def _explain_best(sentence, right, masses, end, about: str, credit: float) -> None:
    if not complete(sentence, end):
        fail(f"{about}, which is not complete: the end token {end} must stand once, at the end")
    if sentence not in masses:
        fail(f"{about}, which has probability 0 or more than max_tokens tokens")
    mass, best = masses[sentence], masses[right]
    if close(mass, best):
        fail(f"{about}, as probable as {right}: a tie goes to the smaller tuple", credit)
    fail(f"{about} of probability {show(mass)}, but {right} has {show(best)}")


# --- 6: your own city ------------------------------------------------------------------------------


def your_city(student: str) -> tuple[str, str]:
    """The city and the type of sentence that belong to a student's id."""
    names = sorted({sentence.city for sentence in city.sentences()})
    name = names[student_number(student, "ex01.city", len(names))]
    return name, city.TYPES[student_number(student, "ex01.type", len(city.TYPES))]


def mention(answer, *, student: str) -> str:
    """The probability that a sentence mentions the student's city."""
    name, _ = your_city(student)
    right = _mass(name)
    slips = {
        "that counts sentences and not their probabilities": _share_of_count(name),
        "that leaves out the scenes, where the city is not the first word": right - _mass(name, "scene"),
        "those are the scenes alone": _mass(name, "scene"),
    }
    value = as_number(answer, "mention")
    same_secret(value, float(right), about=f"for {name}", slips=slips)
    return f"{name} has {show(float(right))} ({TOLERANCE}){_own(student)}"


def surprisal(answer, *, student: str) -> str:
    """Minus the logarithm of P(city | type), in nats."""
    name, kind = your_city(student)
    share = _mass(name, kind) / sum(s.prob for s in city.sentences() if s.type == kind)
    right = -math.log(share)
    slips = {
        "the sign is wrong, a surprisal is not negative": -right,
        "that is in bits, take the natural logarithm": right / math.log(2),
        "that is the probability, not its surprisal": float(share),
        f"that is for '{kind} and {name}' together: divide by P({kind})": -math.log(
            _mass(name, kind)
        ),
        f"that is not given the type: keep to type {kind}": -math.log(_mass(name)),
    }
    value = as_number(answer, "surprisal")
    same_secret(value, right, about=f"for {name} given {kind}", slips=slips)
    return f"{name} given {kind} has {show(right)} nats ({TOLERANCE}){_own(student)}"


def _mass(name: str, kind: str | None = None):
    return sum(s.prob for s in city.sentences() if s.city == name and kind in (None, s.type))


def _share_of_count(name: str) -> float:
    return sum(s.city == name for s in city.sentences()) / len(city.sentences())


def _own(student: str) -> str:
    return ", but this is the example id: put your own into STUDENT" if student == "your-id" else ""


# --- 7: what sampling costs under a 0/1 score --------------------------------------------------------


def expected_score(answer) -> str:
    """The chance that an answer drawn from q hits a truth drawn from p."""
    need_function(answer, "expected_score")
    pairs = [(p, q) for p in ROWS for q in ((1.0, 0.0, 0.0), (0.2, 0.5, 0.3), p)]
    for p, q in pairs:
        arrays, about = (np.array(p), np.array(q)), f"for p = {p}, q = {q}"
        value = as_number(call(answer, *arrays, about=about), f"{about} the score")
        unchanged(np.stack(arrays), [p, q], about)
        right = float(np.dot(p, q))
        slips = {
            "that is the sum of min(p, q), the overlap, not a chance of hitting": sum(map(min, p, q)),
            "that is the best score any answer can have": max(p),
            "that is the mean over tokens, not the sum": right / len(p),
        }
        same_number(value, right, about=about, slips=slips)
    return f"the score agrees on {len(pairs)} pairs of rows ({TOLERANCE})"
