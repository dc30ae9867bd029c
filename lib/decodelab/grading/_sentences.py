"""Laws of whole sentences: the right one from a table of rows, and where another one departs from it."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import product

import numpy as np

from decodelab.grading._checks import difference, fail
from decodelab.tree import Prefix

__all__ = ["compare_sentences", "complete", "context_rows", "sentence_masses"]


def context_rows(seed: int, floor: int = 1) -> dict[Prefix, np.ndarray]:
    """A model of 3 tokens: a row for each prefix of at most 4, each different, so no shift can hide.

    Weights are `floor` to `floor` + 8; below 0 they count as 0. (`random.random` gives the same
    numbers in every version of Python, so the sentences of a check never change.)
    """
    source, rows = random.Random(seed), {}
    for prefix in (p for length in range(5) for p in product(range(3), repeat=length)):
        weights = [max(floor + int(9 * source.random()), 0) for _ in range(3)]
        total = sum(weights)
        rows[prefix] = np.array([w / total for w in weights] if total else [1.0, 0.0, 0.0])
    return rows


def complete(sentence: Prefix, end: int) -> bool:
    """Does the sentence hold the end token once, as its last?"""
    return bool(sentence) and sentence[-1] == end and end not in sentence[:-1]


def sentence_masses(rows: dict, end: int, max_tokens: int, prefix: Prefix = ()) -> dict[Prefix, float]:
    """The probability of each sentence: it stops after `end`, or after `max_tokens` tokens."""
    if complete(prefix, end) or len(prefix) == max_tokens:
        return {prefix: 1.0}
    masses = {}
    for token, chance in enumerate(rows[prefix]):
        if chance > 0:
            rest = sentence_masses(rows, end, max_tokens, (*prefix, token))
            masses |= {sentence: float(chance) * mass for sentence, mass in rest.items()}
    return masses


def compare_sentences(found: dict, right: dict, *, end: int, max_tokens: int, setting: str) -> None:
    """Fail with the first fault of form, else with the next-token row that is most wrong."""
    for sentence in sorted(found, key=lambda s: (len(s), s)):
        if end in sentence[:-1]:
            fail(f"{setting} you return {sentence}, which goes on after the end token {end}")
        if len(sentence) > max_tokens:
            fail(f"{setting} you return {sentence}, which is longer than max_tokens")
        if len(sentence) < max_tokens and not complete(sentence, end):
            fail(f"{setting} you return {sentence}, which stops before the end token and the budget")
    mine, theirs = _prefix_masses(found), _prefix_masses(right)
    prefix, token = max(_steps(mine, theirs), key=lambda step: _gap(mine, theirs, *step))
    you, should = _chance(mine, prefix, token), _chance(theirs, prefix, token)
    fail(f"after prefix {prefix} you give token {token} {difference(you, should)}")


def _prefix_masses(law: dict) -> dict[Prefix, float]:
    masses = defaultdict(float)
    for sentence, mass in law.items():
        for t in range(len(sentence) + 1):
            masses[sentence[:t]] += mass
    return masses


def _steps(mine: dict, theirs: dict) -> list[tuple[Prefix, int]]:
    """All (prefix, next token) pairs of two laws whose prefix is possible in both."""
    grown = {p for p in (*mine, *theirs) if p and mine.get(p[:-1]) and theirs.get(p[:-1])}
    return sorted((p[:-1], p[-1]) for p in grown)


def _chance(masses: dict, prefix: Prefix, token: int) -> float:
    return masses.get((*prefix, token), 0.0) / masses[prefix]


def _gap(mine: dict, theirs: dict, prefix: Prefix, token: int) -> float:
    # Weighted by how often the prefix comes up, so that sampling noise after a rare one is not blamed.
    return abs(_chance(mine, prefix, token) - _chance(theirs, prefix, token)) * theirs[prefix]
