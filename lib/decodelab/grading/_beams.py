"""One step of a beam: the right one, what is wrong with another, and the model of a student's id."""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np

from decodelab.grading._checks import as_number, as_tokens, close, fail, plain, same_number, short, show
from decodelab.grading._lent import Lent
from decodelab.grading._sentences import complete, context_rows, sentence_masses
from decodelab.grading.student import student_number
from decodelab.models import TableLM
from decodelab.tree import Prefix

__all__ = [
    "Pair",
    "Watched",
    "as_model",
    "as_pair",
    "beams_of",
    "best_slips",
    "error_slips",
    "explain_beam",
    "numbers_of",
    "search_error_of",
    "students_rows",
]

Pair = tuple[Prefix, float]  # the tokens of a hypothesis and its log-probability


class Watched(Lent):
    """A model on loan that remembers after which prefixes it was asked."""

    def __init__(self, rows):
        super().__init__(rows)
        self.asked: set[Prefix] = set()

    def next_probs(self, prefix) -> np.ndarray:
        row = super().next_probs(prefix)
        self.asked.add(tuple(int(token) for token in plain(prefix)))
        return row


def as_pair(value, about: str) -> Pair:
    """A text and its log-probability, if that is what `value` holds."""
    parts = plain(value)
    if not isinstance(parts, list) or len(parts) != 2 or not isinstance(parts[0], list):
        fail(f"{about} you give {short(value)}: it must be (tokens, log_prob), a tuple and a number")
    return as_tokens(parts[0], "the text"), as_number(parts[1], "log_prob")


# --- a step and a search --------------------------------------------------------------------------------


def grown(rows: dict, beam: list[Pair], end: int) -> list[Pair]:
    """All candidates: finished hypotheses as they are, the others with every possible token."""
    found = []
    for tokens, score in beam:
        if complete(tokens, end):
            found.append((tokens, score))
            continue
        possible = [(token, float(p)) for token, p in enumerate(rows[tokens]) if p > 0]
        found += [((*tokens, token), score + math.log(p)) for token, p in possible]
    return found


def best_of(found: list[Pair], width: int) -> list[Pair]:
    """The `width` best of the candidates, best first, ties by tokens."""
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:width]


def next_beam(rows: dict, beam: list[Pair], width: int, end: int) -> list[Pair]:
    """The beam after one step."""
    return best_of(grown(rows, beam, end), width)


def beams_of(rows: dict, width: int, end: int, steps: int) -> list[list[Pair]]:
    """The beam before the first step and after each."""
    beams = [[((), 0.0)]]
    for _ in range(steps):
        beams.append(next_beam(rows, beams[-1], width, end))
    return beams


# --- what is wrong with a beam ---------------------------------------------------------------------------


def explain_beam(found: list[Pair], beam: list[Pair], rows: dict, width: int, end: int, about: str) -> None:
    """Fail with the first fault of `found`, the answer's step from `beam`; pass if it is right."""
    candidates = dict(grown(rows, beam, end))
    right = best_of(list(candidates.items()), width)
    for tokens, _ in found:
        _is_candidate(tokens, candidates, beam, rows, end, about)
    mine, theirs = [tokens for tokens, _ in found], [tokens for tokens, _ in right]
    if len(set(mine)) < len(mine):
        twice = next(tokens for tokens in mine if mine.count(tokens) > 1)
        fail(f"{about} you keep {twice} twice: the hypotheses of a beam are distinct")
    _same_members(mine, theirs, candidates, beam, end, about)
    for tokens, score in found:
        same_number(
            score,
            candidates[tokens],
            about=f"{about} for the log_prob of {tokens}",
            slips=_score_slips(tokens, candidates[tokens], dict(beam)),
            credit=0.5,
        )
    if mine != theirs:
        fail(f"{about} you give the order {mine}: the best comes first, ties by tokens: {theirs}", 0.75)


def _is_candidate(tokens, candidates, beam, rows, end, about: str) -> None:
    if tokens in candidates:
        return
    parents = [parent for parent, _ in beam]
    if complete(tokens[:-1], end):
        fail(f"{about} you give {tokens}, which goes on after the end token {end}")
    if tokens[:-1] in parents and tokens[-1] < len(rows[()]):
        fail(f"{about} you give {tokens}, but token {tokens[-1]} has probability 0 after {tokens[:-1]}")
    if tokens in parents:
        fail(f"{about} you give {tokens}, which has not grown: only finished hypotheses stay as they are")
    fail(f"{about} you give {tokens}, which continues no hypothesis of the beam {short(parents)}")


def _same_members(mine, theirs, candidates, beam, end, about: str) -> None:
    lacking = [tokens for tokens in theirs if tokens not in mine]
    extra = [tokens for tokens in mine if tokens not in theirs]
    if not lacking and not extra:
        return
    finished = [tokens for tokens in lacking if tokens in dict(beam)]
    if finished:
        score = show(candidates[finished[0]])
        fail(f"{about} the finished {finished[0]} of log_prob {score} is missing: it stays and competes")
    if len(mine) != len(theirs):
        fail(f"{about} you keep {len(mine)} hypotheses, right are {len(theirs)}: {short(theirs)}")
    worse, better = candidates[extra[0]], candidates[lacking[0]]
    if close(worse, better):
        credit = 0.75 if all(close(candidates[a], better) for a in extra) else 0.0
        fail(
            f"{about} you keep {extra[0]} and drop its equal {lacking[0]}: a tie goes to the smaller", credit
        )
    text = f"{about} you keep {extra[0]} of log_prob {show(worse)} and drop {lacking[0]} of {show(better)}"
    fail(f"{text}: a finished hypothesis has no place of its own" if extra[0] in dict(beam) else text)


def _score_slips(tokens: Prefix, right: float, beam: dict) -> dict[str, float]:
    before = beam.get(tokens[:-1], 0.0)
    return {
        "that is the probability, not its logarithm": math.exp(right),
        "that counts the last token alone, add the score of its parent": right - before,
        "that is the score of its parent, the last token is missing": before,
        "the sign is wrong, a log-probability is not positive": -right,
        "that is the mean over the tokens, not the sum": right / max(len(tokens), 1),
    }


# --- the model of an id -----------------------------------------------------------------------------------

TOKENS, END, BUDGET = 3, 0, 4


@cache
def students_rows(student: str) -> dict[Prefix, np.ndarray]:
    """Rows on which a beam of width 2 misses the best text, and no usual mistake gives a right number."""
    seed = student_number(student, "ex02.model", 10**6)
    while not _tells_apart(numbers_of(context_rows(seed))):
        seed += 1
    return context_rows(seed)


def as_model(rows: dict[Prefix, np.ndarray]) -> TableLM:
    return TableLM(rows, default=[1.0, 0.0, 0.0])


def numbers_of(rows: dict[Prefix, np.ndarray]) -> dict[str, float]:
    """Probabilities on these rows: of the best text, and of what searches of several kinds return."""
    masses = sentence_masses(rows, END, BUDGET)
    whole = [mass for sentence, mass in masses.items() if complete(sentence, END)]
    searched = {
        name: beams_of(rows, width, END, BUDGET)[-1][0] for name, width in (("greedy", 1), ("beam", 2))
    }
    found = {name: math.exp(s) if complete(t, END) else 0.0 for name, (t, s) in searched.items()}
    return {"best": max(whole), **found}


def _tells_apart(n: dict[str, float]) -> bool:
    """Are the numbers, and the answers that are made of them, all different?"""
    if min(n.values()) == 0 or n["best"] <= n["beam"] * 1.05 or n["best"] <= n["greedy"] * 1.05:
        return False
    values = sorted([n["best"], *best_slips(n).values(), *error_slips(n).values(), search_error_of(n)])
    return all(b - a > 1e-3 * abs(b) for a, b in itertools.pairwise(values))


def best_slips(n: dict[str, float]) -> dict[str, float]:
    """Wrong answers to the probability of the best text, by what is wrong with them."""
    return {
        "that is what a beam of width 2 finds, there is a better text": n["beam"],
        "that is what greedy finds, there is a better text": n["greedy"],
        "that is the log-probability, give the probability": math.log(n["best"]),
        "that is in percent, a probability is at most 1": 100 * n["best"],
    }


def search_error_of(n: dict[str, float]) -> float:
    """What the beam of width 2 loses, in nats."""
    return math.log(n["best"] / n["beam"])


def error_slips(n: dict[str, float]) -> dict[str, float]:
    """Wrong answers to the search error, by what is wrong with them."""
    right = search_error_of(n)
    return {
        "the sign is wrong: the best text has the larger log-probability": -right,
        "that is the ratio of the probabilities, take its logarithm": n["best"] / n["beam"],
        "that is in bits, take the natural logarithm": right / math.log(2),
        "that is the difference of the probabilities, not of their logarithms": n["best"] - n["beam"],
        "that is what greedy loses, a beam of width 1": math.log(n["best"] / n["greedy"]),
        "that is the log-probability of what the beam finds: compare it with the best": math.log(n["beam"]),
    }
