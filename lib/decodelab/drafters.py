"""Drafters: functions `(prefix, *, rng) -> Draft` made from any language model.

They differ in how the children of a node come about, and record for each child the row it really was
drawn from: that is all a verification rule has to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from decodelab.models import LM
from decodelab.rng import Rng
from decodelab.tree import Draft, Prefix, Tree

__all__ = ["chain", "chosen", "with_replacement", "without_replacement"]

Drafter = Callable[..., Draft]
Siblings = Callable[..., Iterator[tuple[int, np.ndarray]]]


def chain(lm: LM, gamma: int, *, start: int, end: int | None = None) -> Drafter:
    """Draft up to `gamma` tokens one after the other, each drawn from `lm`; stop after `end`.

    `start` is the token of node 0 when nothing is committed yet. Returns `drafter(prefix, *, rng) -> Draft`.
    Errors: `ValueError` for a negative gamma.
    """
    if gamma < 0:
        raise ValueError(f"gamma must be at least 0, got {gamma}")
    return with_replacement(lm, (1,) * gamma, start=start, end=end)


def with_replacement(lm: LM, widths: Sequence[int], *, start: int, end: int | None = None) -> Drafter:
    """A tree whose nodes at depth d have widths[d] children, each drawn from the node's row.

    Equal siblings may occur; a node that holds `end` gets no children. `start` as for `chain`.
    Errors: `ValueError` for a width below 1.
    Source: SpecInfer, Miao et al. 2023 (arXiv 2305.09781).
    """

    def siblings(row, width, *, rng):
        for _ in range(width):
            yield rng.categorical(row), row

    return _drafter(lm, widths, siblings, start, end)


def without_replacement(lm: LM, widths: Sequence[int], *, start: int, end: int | None = None) -> Drafter:
    """A tree whose siblings differ: each is drawn from the row without its earlier siblings.

    A node gets fewer children when its row has fewer possible tokens. `start` and `end` as for `chain`.
    Errors: `ValueError` for a width below 1.
    Source: Sequoia, Chen et al. 2024 (arXiv 2402.12374).
    """

    def siblings(row, width, *, rng):
        for _ in range(width):
            token = rng.categorical(row)
            yield token, row
            rest = np.where(np.arange(len(row)) == token, row * 0, row)
            if not rest.sum() > 0:
                return
            row = rest / rest.sum()

    return _drafter(lm, widths, siblings, start, end)


def chosen(lm: LM, widths: Sequence[int], *, start: int, end: int | None = None) -> Drafter:
    """A tree whose siblings are the likeliest tokens of the node's row: chosen, so their rows are one-hot.

    Tokens of probability zero are not proposed. Width one is a greedy draft; nothing is drawn. `start` and
    `end` as for `chain`.
    Errors: `ValueError` for a width below 1.
    """

    def siblings(row, width, *, rng):
        for token in np.argsort(-row, kind="stable")[:width].tolist():
            if row[token] > 0:
                yield token, row * 0 + (np.arange(len(row)) == token)

    return _drafter(lm, widths, siblings, start, end)


def _drafter(lm: LM, widths: Sequence[int], siblings: Siblings, start: int, end: int | None) -> Drafter:
    widths = tuple(widths)
    if any(width < 1 for width in widths):
        raise ValueError(f"widths must be positive, got {widths}")

    def drafter(prefix: Prefix, *, rng: Rng) -> Draft:
        tokens, parents, rows, paths = [prefix[-1] if prefix else start], [-1], [None], [tuple(prefix)]
        level = [0]
        for width in widths:
            grown = []
            for node in level:
                for token, row in siblings(lm.next_probs(paths[node]), width, rng=rng):
                    grown.append(len(tokens))
                    tokens.append(token), parents.append(node), rows.append(row)
                    paths.append((*paths[node], token))
            level = [node for node in grown if tokens[node] != end]
        unused = np.zeros(lm.vocab_size) if len(rows) == 1 else rows[1] * 0
        return Draft(Tree(tuple(tokens), tuple(parents)), np.stack([unused, *rows[1:]]))

    return drafter
