"""Checks of set 01: choosing, scoring and drawing sentences."""

from __future__ import annotations

import math
import random
from functools import cache

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
    plain,
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
_SINGLE = ([1, 1 + 1e-12],)
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
    for logits in _SINGLE:
        _largest(answer, logits, "single precision rounds these logits to a tie, but the largest is at", 0.5)
    for logits in _NAN:
        about = f"for logits {logits}"
        array = np.array(logits, dtype=np.float64)
        must_raise(answer, array, kind=ValueError, about=about, credit=0.75)
    return "the id agrees on 12 rows with ties, -inf and near-ties, and NaN is refused"


def _largest(answer, logits, why: str, credit: float) -> None:
    array, about = np.array(logits, dtype=np.float64), f"for logits {logits}"
    value = as_number(call(answer, array, about=about, credit=credit), f"{about} the answer")
    if value == max(logits) and not 0 <= value < len(logits):
        fail(f"{about} you return {show(value)}: that is the logit, not its id")
    token = as_token(value, f"{about} the answer")
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
    _score(answer, rows, (1, 0), 0.5, "for sentence (1, 0), where token 0 is impossible,")
    _score(answer, rows, (), 0.75)
    rows, sentence = _unlikely(250)
    _score(answer, rows, sentence, 0.75, "for a sentence of 250 tokens, whose probability no float can hold,")
    return f"the score of 8 sentences agrees, an impossible and a long one included ({TOLERANCE})"


def _unlikely(length: int) -> tuple[dict, tuple]:
    """A sentence of rare tokens and the rows it needs; its probability is below the smallest float.

    No longer than it must be, so that an answer may recurse.
    """
    source, rows, sentence = random.Random(1), {}, ()
    for _ in range(length):
        token, chance = int(3 * source.random()), 0.02 + 0.04 * source.random()
        rows[sentence] = np.full(3, (1 - chance) / 2)
        rows[sentence][token] = chance
        sentence += (token,)
    rows[sentence] = np.array([1.0, 0, 0])  # needed by nobody, but asked for by some
    return rows, sentence


def _score(answer, rows: dict, sentence: tuple, credit: float, about: str = "") -> None:
    lm, about = Lent(rows), about or f"for sentence {sentence}"
    value = as_number(call(answer, lm, sentence, about=about, credit=credit), f"{about} the score")
    lm.check_unchanged()
    right = _log_prob(rows, sentence)
    slips = _score_slips(rows, sentence, right) if len(sentence) < 9 and math.isfinite(right) else {}
    same_number(value, right, about=about, credit=credit, slips=slips)


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
    dense, sparse = context_rows(5), context_rows(6, floor=-3)
    rare = dense | {(): np.array([0.01, 0.49, 0.5])}  # a coarse uniform shows here, if only samples can tell
    settings = ((dense, 0, 3), (sparse, 2, 3), (rare, 0, 1))
    how = [_sampler(answer, rows, end, max_tokens) for rows, end, max_tokens in settings]
    return f"the law of whole sentences agrees on {len(settings)} models: {how[0]}"


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
        "token 0 is kept as well as drawn again: the row sums to more than 1": [q * (1 + p[0]) for q in p],
        "token 0 gets nothing, but the second draw may be 0 again": [0.0, *(q / rest for q in p[1:])],
    }


# --- 5: exhaustive search --------------------------------------------------------------------------

# (seed of the rows, end, max_tokens). In each the best sentence is not the greedy one. In all but the
# first it uses the whole budget; in the last two a sentence one token longer would be better still.
_MODELS = ((24, 2, 4), (106, 2, 3), (768, 0, 3), (24, 2, 2), (198, 0, 2), (348, 2, 2))


def _tied_rows(first: tuple) -> dict:
    """Two sentences have probability 1/4, to the last bit, and nothing has more: (2, 0) and the first.

    With first = (1, 0) the tie is of equal lengths, with (1, 1, 0) the smaller tuple is the longer one.
    """
    rows = {prefix: np.array([1.0, 0, 0]) for prefix in context_rows(0)}
    rows[()] = np.array([0, 0.5, 0.5])
    rows[1,] = rows[2,] = np.array([0.5, 0.25, 0.25])
    if len(first) == 3:
        rows[1,] = np.array([0.25, 0.5, 0.25])
    return rows


def most_probable(answer) -> str:
    """The most probable complete sentence within the budget, ties by tokens."""
    need_function(answer, "most_probable")
    for seed, end, max_tokens in _MODELS:
        _best(answer, context_rows(seed), end, max_tokens, 0.0)
    for first in ((1, 0), (1, 1, 0)):
        _best(answer, _tied_rows(first), 0, 3, 0.75)
    return f"sentence and log-probability agree on {len(_MODELS) + 2} models, ties included ({TOLERANCE})"


def _best(answer, rows: dict, end: int, max_tokens: int, credit: float) -> None:
    lm, about = Lent(rows), f"with end = {end}, max_tokens = {max_tokens}"
    value = call(answer, lm, end=end, max_tokens=max_tokens, about=about)
    lm.check_unchanged()
    sentence, score = _pair(value, about)
    masses = sentence_masses(rows, end, max_tokens)
    right = min((s for s in masses if complete(s, end)), key=lambda s: (-masses[s], s))
    if sentence != right:
        _explain_best(sentence, right, masses, end, f"{about} you return {sentence}", credit)
    log_right = math.log(masses[right])
    slips = {"that is the probability, not its logarithm": masses[right]}
    same_number(score, log_right, about=f"{about} for the log_prob of {right}", slips=slips, credit=0.5)


def _pair(value, about: str) -> tuple[tuple, float]:
    """The sentence and its score, if that is what was returned."""
    parts = plain(value)
    if not isinstance(parts, list) or len(parts) != 2:
        fail(f"{about} you return {short(value)}: return (sentence, log_prob), a tuple and a number")
    sentence, score = parts
    if not isinstance(sentence, list) or (isinstance(score, list) and len(score) > 1):
        order = "in this order" if isinstance(score, list) else "a tuple and a number"
        fail(f"{about} you return {short(value)}: return (sentence, log_prob), {order}")
    return as_tokens(sentence, "the sentence"), as_number(score, "log_prob")


def _explain_best(sentence, right, masses, end, about: str, credit: float) -> None:
    if len(sentence) > max(map(len, masses)):
        fail(f"{about}, which is longer than max_tokens")
    if not complete(sentence, end):
        fail(f"{about}, which is not complete: the end token {end} must stand once, at the end")
    if sentence not in masses:
        fail(f"{about}, which has probability 0")
    mass, best = masses[sentence], masses[right]
    if close(mass, best):
        fail(f"{about}, as probable as {right}: a tie goes to the smaller tuple", credit)
    fail(f"{about} of probability {show(mass)}, but {right} has {show(best)}")


# --- 6: your own city ------------------------------------------------------------------------------


def your_city(student: str) -> tuple[str, tuple[str, str]]:
    """The city and the two types of sentence that belong to a student's id.

    One type is "scene": a city has the same share in the other three. Boston, which has the same share in
    all four, is nobody's, so that forgetting the types is always a wrong answer.
    """
    names = sorted({s.city for s in city.sentences()} - {"boston"})
    others = [kind for kind in city.TYPES if kind != "scene"]
    name = names[student_number(student, "ex01.city", len(names))]
    return name, ("scene", others[student_number(student, "ex01.type", len(others))])


def mention(answer, *, student: str) -> str:
    """The probability that a sentence mentions the student's city."""
    name, _ = your_city(student)
    right = _mass(name)
    value = as_number(answer, "mention")
    same_secret(value, right, about=f"for {name}", slips=_mention_slips(name))
    return f"{name} has {show(right)} ({TOLERANCE})"


def _mention_slips(name: str) -> dict[str, float]:
    right, scenes = _mass(name), _mass(name, "scene")
    return {
        "that counts sentences and not their probabilities": _share_of_count(name),
        "that leaves out the scenes, where the city is not the first word": right - scenes,
        "those are the scenes alone": scenes,
        "that is the share of the city among the scenes": scenes / _mass(None, "scene"),
        "that is the share of the city among the facts, another than among all": _share(name, "fact"),
        "that is in percent, a probability is at most 1": 100 * right,
        "that is the surprisal, the probability comes first": -math.log(right),
    }


def surprisal(answer, *, student: str) -> str:
    """Minus the logarithm of P(city | one of two types), in nats."""
    name, kinds = your_city(student)
    right = -math.log(_share(name, *kinds))
    about, value = f"for {name} given {' or '.join(kinds)}", as_number(answer, "surprisal")
    same_secret(value, right, about=about, slips=_surprisal_slips(name, kinds))
    return f"{about.removeprefix('for ')} has {show(right)} nats ({TOLERANCE})"


def _surprisal_slips(name: str, kinds: tuple[str, str]) -> dict[str, float]:
    share, joint, (first, second) = _share(name, *kinds), _mass(name, *kinds), kinds
    right, types = -math.log(share), f"'{first} or {second}'"
    mean = (_share(name, first) + _share(name, second)) / 2
    return {
        "the sign is wrong, a surprisal is not negative": -right,
        "that is in bits, take the natural logarithm": right / math.log(2),
        "that is the probability, not its surprisal": share,
        "that is the probability in percent, not its surprisal": 100 * share,
        f"that is for '{name}' and {types} together: divide by P({types})": -math.log(joint),
        f"that is the probability of '{name}' and {types} together, no surprisal": joint,
        f"that is not given the types: keep to {types}": -math.log(_mass(name)),
        f"that is given {first} alone": -math.log(_share(name, first)),
        f"that is given {second} alone": -math.log(_share(name, second)),
        f"that takes {first} and {second} half each, but they differ in probability": -math.log(mean),
    }


@cache
def _mass(name: str | None, *kinds: str) -> float:
    """The probability of a sentence with this city (None: any) and of one of these types (none: any)."""
    wanted = (s for s in city.sentences() if name in (None, s.city) and (not kinds or s.type in kinds))
    return float(sum(s.prob for s in wanted))


def _share(name: str, *kinds: str) -> float:
    return _mass(name, *kinds) / _mass(None, *kinds)


def _share_of_count(name: str) -> float:
    return sum(s.city == name for s in city.sentences()) / len(city.sentences())


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
