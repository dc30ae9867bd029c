"""Drafters that are wrong: the tokens may be good, what is recorded about them is not.

The rule beside them is `rules.rejection`, which is exact for rows that a token *really was drawn from*.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from decodelab import dists
from decodelab.models import LM
from decodelab.tree import Draft, Tree


def _chain(lm: LM, gamma: int, start: int, end: int | None, step: Callable) -> Callable:
    """A drafter of chains: `step(prefix, rng)` gives the next token and the row recorded for it."""

    def drafter(prefix, *, rng):
        tokens, rows = [], [np.zeros(lm.vocab_size)]
        while len(tokens) < gamma and (not tokens or tokens[-1] != end):
            token, row = step((*prefix, *tokens), rng)
            tokens.append(token), rows.append(row)
        return Draft(Tree.chain(prefix[-1] if prefix else start, tokens), np.stack(rows))

    return drafter


def likeliest_recorded_as_drawn(lm, gamma, *, start, end=None):
    """Each draft is the likeliest token, and its row is the model's whole row."""

    def step(prefix, rng):
        row = lm.next_probs(prefix)
        return int(np.argmax(row)), row  # chosen: its row is one-hot

    return _chain(lm, gamma, start, end, step)


def row_before_the_cut(lm, gamma, *, start, end=None):
    """Each draft is drawn from the two likeliest tokens, and its row is the one before that cut."""

    def step(prefix, rng):
        row = lm.next_probs(prefix)
        return rng.categorical(dists.top_k(row, 2)), row  # drawn from another row

    return _chain(lm, gamma, start, end, step)


def draft_without_its_last_word(lm, gamma, *, start, end=None):
    """The draft's cache is cut a row too far: it never sees the last token. **Law:** exact; speed is lost."""

    def step(prefix, rng):
        row = lm.next_probs(prefix[:-1])  # one token is missing
        return rng.categorical(row), row

    return _chain(lm, gamma, start, end, step)


def two_likeliest_recorded_as_drawn(lm, gamma, *, start, end=None):
    """Two siblings, the likeliest tokens, recorded as if drawn without replacement. `gamma` is not used."""

    def drafter(prefix, *, rng):
        root, row = prefix[-1] if prefix else start, lm.next_probs(prefix)
        first, second = np.argsort(-row, kind="stable")[:2].tolist()
        rest = np.where(np.arange(len(row)) == first, row * 0, row)
        if not rest[second] > 0:
            return Draft(Tree.chain(root, (first,)), np.stack([row * 0, row]))
        tree = Tree((root, first, second), (-1, 0, 0))
        rows = row, rest / rest.sum()  # chosen: should be one-hot
        return Draft(tree, np.stack([row * 0, *rows]))

    return drafter
