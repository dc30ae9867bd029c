"""Search for probable text: beam search, its values and stopping rules, exhaustive and best-first search.

Scores are raw sums of log-probabilities in nats. Ties go to the smaller tuple of tokens. The end token
belongs to the text and counts in its length; a prompt does neither.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from decodelab.models import LM
from decodelab.tree import Prefix

__all__ = [
    "Hypothesis",
    "Search",
    "all_finished",
    "attainable",
    "beam_search",
    "best_first",
    "exhaustive",
    "gnmt",
    "power",
    "raw",
]


@dataclass(frozen=True)
class Hypothesis:
    """A text under way or finished: its new `tokens`, its `score` in nats, and where it came from.

    `parent` is its place in the beam of the step before; `last` the log-probability of its last token.
    """

    tokens: Prefix
    score: float
    finished: bool
    parent: int = 0
    last: float = 0.0

    @property
    def length(self) -> int:
        """Tokens of the text, the end token included and the prompt not."""
        return len(self.tokens)


@dataclass(frozen=True)
class Search:
    """What a beam search did: the `beams` after each step, and the model calls and candidates it took.

    `hypotheses` is the last beam, best value first; unfinished ones are those the length limit stopped.
    """

    beams: tuple[tuple[Hypothesis, ...], ...]
    calls: int
    candidates: tuple[int, ...]

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The last beam, best first."""
        return self.beams[-1]

    @property
    def best(self) -> Hypothesis:
        """The finished hypothesis of the greatest value, or an unfinished one if none has finished."""
        return next((h for h in self.hypotheses if h.finished), self.hypotheses[0])


Value = Callable[[float, int], float]
Prune = Callable[[list[Hypothesis]], list[Hypothesis]]


# --- values: what is compared ---------------------------------------------------------------------------


def raw(score: float, length: int) -> float:
    """The score itself, whatever the length."""
    return score


def power(alpha: float) -> Value:
    """Score divided by length^alpha; a larger alpha favours longer texts, since scores are negative."""
    return lambda score, length: score / length**alpha


def gnmt(alpha: float) -> Value:
    """Score divided by ((5 + length)/6)^alpha. Source: Wu et al. 2016 (arXiv 1609.08144), equation 14."""
    return lambda score, length: score / ((5 + length) / 6) ** alpha


# --- the search -----------------------------------------------------------------------------------------


def all_finished(finished: Sequence[Hypothesis], live: Sequence[Hypothesis]) -> bool:
    """Stop when nothing in the beam is under way."""
    return not live


def attainable(value: Value, max_tokens: int) -> Callable:
    """Stop as soon as no live hypothesis can still reach the best finished one: safe for this `value`.

    A live score can only fall. The best it can do is to stay as it is and end at the length that divides
    it most; every length up to `max_tokens` is tried.
    """

    def stop(finished, live) -> bool:
        if not live:
            return True
        reach = (value(h.score, n) for h in live for n in range(h.length + 1, max_tokens + 1))
        best = max((value(h.score, h.length) for h in finished), default=-math.inf)
        return best > max(reach, default=-math.inf)

    return stop


def beam_search(
    lm: LM,
    width: int,
    *,
    end: int | None,
    max_tokens: int,
    prefix: Prefix = (),
    value: Value = raw,
    prune: Prune = list,
    stop: Callable = all_finished,
) -> Search:
    """Keep the `width` best hypotheses step by step; finished ones stay in the beam and compete.

    `value(score, length)` ranks them, in the search and at its end; `prune` thins the candidates of a step
    before the best are kept; `stop(finished, live)` ends the search early. One model call a live
    hypothesis and step. Impossible tokens are never candidates, so a beam may be narrower than `width`.
    Errors: `ValueError` for a width or max_tokens below 1.
    **Law:** no randomness; the best text only if nothing better was dropped on the way (`exhaustive`).
    """
    if width < 1 or max_tokens < 1:
        raise ValueError(f"width and max_tokens must be at least 1, got {width} and {max_tokens}")
    beam = [Hypothesis((), 0.0, False, -1)]
    beams, candidates, calls = [], [], 0
    for _ in range(max_tokens):
        grown = []
        for i, hypothesis in enumerate(beam):
            if hypothesis.finished:
                grown.append(_carried(hypothesis, i))
            else:
                calls += 1
                grown += proposals(lm.next_probs((*prefix, *hypothesis.tokens)), hypothesis, i, width, end)
        candidates.append(len(grown))
        beam = ranked(prune(grown), value)[:width]
        if not beam:
            raise ValueError(f"prune left none of the {len(grown)} candidates of step {len(beams) + 1}")
        beams.append(tuple(beam))
        if stop([h for h in beam if h.finished], [h for h in beam if not h.finished]):
            break
    return Search(tuple(beams), calls, tuple(candidates))


def _carried(hypothesis: Hypothesis, place: int) -> Hypothesis:
    return Hypothesis(hypothesis.tokens, hypothesis.score, True, place, hypothesis.last)


def proposals(row, parent: Hypothesis, place: int, width: int, end: int | None) -> list[Hypothesis]:
    """The `width` likeliest continuations: no other continuation of this parent can be among the best."""
    found = []
    for token in np.argsort(-row, kind="stable")[:width].tolist():
        if row[token] > 0:
            last = math.log(row[token])
            found.append(Hypothesis((*parent.tokens, token), parent.score + last, token == end, place, last))
    return found


def ranked(hypotheses: list[Hypothesis], value: Value) -> list[Hypothesis]:
    return sorted(hypotheses, key=lambda h: (-value(h.score, h.length), h.tokens))


# --- without a beam -----------------------------------------------------------------------------------


def exhaustive(lm: LM, *, end: int, max_tokens: int, value: Value = raw) -> list[Hypothesis]:
    """Every complete text of at most `max_tokens` tokens, the best value first. For small models.

    Errors: `ValueError` for a max_tokens below 1.
    **Law:** no randomness; the truth that other searches are measured against.
    """
    if max_tokens < 1:
        raise ValueError(f"max_tokens must be at least 1, got {max_tokens}")
    return ranked(list(_complete(lm, (), 0.0, end, max_tokens)), value)


def _complete(lm: LM, prefix: Prefix, score: float, end: int, max_tokens: int) -> Iterator[Hypothesis]:
    row = lm.next_probs(prefix)
    for token in np.flatnonzero(row > 0).tolist():
        grown, total = (*prefix, token), score + math.log(row[token])
        if token == end:
            yield Hypothesis(grown, total, True)
        elif len(grown) < max_tokens:
            yield from _complete(lm, grown, total, end, max_tokens)


def best_first(lm: LM, *, end: int, max_tokens: int) -> tuple[Hypothesis, int]:
    """The most probable complete text, and how many prefixes were expanded to be sure of it.

    Always expands the most probable open prefix. A score can only fall, so the first finished text that
    comes up is the best of all. Errors: `ValueError` if there is no complete text of `max_tokens` tokens.
    **Law:** no randomness; exact, for the raw score (a length penalty can raise a score again).
    """
    queue = [(0.0, (), False)]
    expansions = 0
    while queue:
        cost, tokens, finished = heapq.heappop(queue)
        if finished:
            return Hypothesis(tokens, -cost, True), expansions
        if len(tokens) == max_tokens:
            continue
        expansions += 1
        row = lm.next_probs(tokens)
        for token in np.flatnonzero(row > 0).tolist():
            heapq.heappush(queue, (cost - math.log(row[token]), (*tokens, token), token == end))
    raise ValueError(f"no text ends within max_tokens = {max_tokens}")
