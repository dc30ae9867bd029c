"""The way *merge*: rounds are run once a prefix, and meet where they reach the same prefix."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from decodelab.exact.run import MAX_TRACES, enumerate_traces, law_tv
from decodelab.tree import Prefix, Step

MAX_PREFIXES, MAX_LENGTH = 200_000, 1000


@dataclass(frozen=True)
class SentenceLaw:
    """The law of whole sentences and what one sentence costs on average.

    `probs` maps each complete sentence to its probability; `illegal` is the mass absorbed at a first
    illegal token, `unfinished` the mass that the token budget stopped. `tokens`, `calls` (rounds),
    `drafted` and `accepted` are expectations a sentence, counted up to the end or the absorption.
    """

    probs: dict[Prefix, float]
    illegal: float
    unfinished: float
    tokens: float
    calls: float
    drafted: float
    accepted: float

    @property
    def tokens_per_call(self) -> float:
        """Expected tokens a sentence over expected rounds a sentence."""
        return self.tokens / self.calls

    def tv_from(self, truth: Mapping[Prefix, float]) -> float:
        """Total variation distance from a law of sentences, illegal and unfinished mass counted as errors."""
        return law_tv(self.probs, truth) + (self.illegal + self.unfinished) / 2


def sentence_law(
    round: Callable[..., Step],
    *,
    end: int = 0,
    legal: Callable[[Prefix], bool] | None = None,
    max_tokens: int | None = None,
    max_traces: int = MAX_TRACES,
) -> SentenceLaw:
    """The exact law of the sentences written by repeating `round(prefix, rng=...) -> Step` until `end`.

    `legal(prefix)` says whether a language allows the prefix: at the first token that makes it false the
    sentence is absorbed in one illegal class and counting stops. `max_tokens` bounds a sentence.
    Errors: those of `law`; `ValueError` for a round that emits nothing, a `max_tokens` below 1, or more than
    200,000 unfinished prefixes of one length (rounds that never end: give `max_tokens`).
    **Law:** exact (way: merge; a round depends on the prefix alone, so equal prefixes may be merged).
    """
    if max_tokens is not None and max_tokens < 1:
        raise ValueError(f"max_tokens must be at least 1, got {max_tokens}")
    tally = _Tally(end, legal, max_tokens)
    waiting: dict[int, dict[Prefix, float]] = defaultdict(dict)  # by length: a round only makes it longer
    waiting[0][()] = 1
    length = 0
    while waiting:
        for prefix, mass in waiting.pop(length, {}).items():
            for step, chance in _round_law(round, prefix, max_traces).items():
                grown, share = tally.add(prefix, step, mass * chance)
                if share:
                    level = waiting[len(grown)]
                    level[grown] = level.get(grown, 0) + share
                    _check_room(level, length, max_tokens)
        length += 1
    return tally.result()


def _check_room(level: Mapping, length: int, max_tokens: int | None) -> None:
    if len(level) > MAX_PREFIXES or max_tokens is None and length > MAX_LENGTH:
        many = f"{len(level):,} unfinished prefixes after {length} tokens"
        raise ValueError(f"round: {many}; give max_tokens, or a round that ends")


def _round_law(round, prefix: Prefix, max_traces: int) -> dict[Step, float]:
    steps = enumerate_traces(lambda *, rng: round(prefix, rng=rng), max_traces, repeated=1)
    for step in steps:
        if not isinstance(step, Step) or not step.tokens:
            raise ValueError(
                f"round({prefix}) returned {step!r}; it must return a Step with at least one token"
            )
    return steps


class _Tally:
    """Where sentences go when they end, and the running expectations."""

    def __init__(self, end, legal, max_tokens):
        self.end, self.legal, self.max_tokens = end, legal, max_tokens
        self.probs: dict[Prefix, float] = {}
        self.illegal = self.unfinished = self.tokens = self.calls = self.drafted = self.accepted = 0

    def add(self, prefix: Prefix, step: Step, mass) -> tuple[Prefix, float]:
        """Book one step; return the prefix it leads to and the mass still to go on from there."""
        room = None if self.max_tokens is None else self.max_tokens - len(prefix)
        step = step.cut(end=self.end, room=room)
        lawful = self._lawful(prefix, step)
        step = step.cut(end=None, room=lawful + 1)
        grown = (*prefix, *step.tokens)
        self.calls += mass
        self.tokens += mass * len(step.tokens)
        self.drafted += mass * step.drafted
        self.accepted += mass * step.accepted
        if lawful < len(step.tokens):
            self.illegal += mass
        elif step.tokens[-1] == self.end:
            self.probs[grown] = self.probs.get(grown, 0) + mass
        elif len(grown) == self.max_tokens:
            self.unfinished += mass
        else:
            return grown, mass
        return grown, 0

    def _lawful(self, prefix: Prefix, step: Step) -> int:
        """How many tokens of the step come before its first illegal one."""
        if self.legal is None:
            return len(step.tokens)
        for i in range(len(step.tokens)):
            if not self.legal((*prefix, *step.tokens[: i + 1])):
                return i
        return len(step.tokens)

    def result(self) -> SentenceLaw:
        return SentenceLaw(
            self.probs, self.illegal, self.unfinished, self.tokens, self.calls, self.drafted, self.accepted
        )
