"""A model with a cache behind the `LM` interface: rolling back cannot be forgotten.

A transformer keeps the keys and values of the tokens it has read. Whoever decodes must cut that cache back
after every rejected draft, and real systems get it wrong. Here nobody is asked to: the adapter compares
the prefix it is given with the tokens it holds, drops what differs, keeps the rows of an accepted path
through a tree, and feeds only what is new.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Protocol

import numpy as np

from decodelab.dists import softmax
from decodelab.tree import Prefix, Tree

__all__ = ["Backend", "CachedLM"]


class Backend(Protocol):
    """A network and its cache. Rows of the cache are numbered from 0, the start token's row."""

    vocab_size: int

    def feed(self, tokens: Sequence[int], among: np.ndarray, positions: np.ndarray):
        """Read n tokens in one forward and append their n rows to the cache.

        `among` (n, n): which of the new tokens each may see (all cached rows are seen); `positions` (n,).
        Returns (logits (n, V) float64, features (n, d) float64), the features that the LM head reads.
        """

    def keep(self, rows: Sequence[int]) -> None:
        """Keep these rows of the cache, in this order, and no others."""


class CachedLM:
    """`backend` as an `LM` that remembers: `next_probs`, `probs_along`, `probs_tree`, `features`.

    `start` is fed before every prefix (the city language feeds `.`); it is never part of a prefix.
    `calls` counts forwards, `fed` the tokens in them. Asking again for a row that is held costs nothing.
    """

    def __init__(self, backend: Backend, *, start: int):
        self._backend, self._start = backend, start
        self.vocab_size = backend.vocab_size
        self.calls = self.fed = 0
        # One entry a cache row: the token read, the law after it, the feature at it.
        self._held: list[tuple[int, np.ndarray, np.ndarray]] = []
        self._tree: tuple[Tree, list] | None = None  # drafted rows that follow the held ones

    def next_probs(self, prefix: Prefix) -> np.ndarray:
        """The law after `prefix`, shape (V,)."""
        return self.probs_along(prefix, ())[-1]

    def probs_along(self, prefix: Prefix, tokens: Sequence[int]) -> np.ndarray:
        """Rows (len(tokens) + 1, V), row i after the first i of `tokens`; at most one forward."""
        for token in (*prefix, *tokens):
            if not isinstance(token, Integral):
                raise ValueError(f"a model with a cache reads one prefix at a time, got {token!r} as a token")
        self._read((self._start, *prefix, *tokens))
        return np.stack([law for _, law, _ in self._held[len(prefix) :]])

    def probs_tree(self, prefix: Prefix, tree: Tree) -> np.ndarray:
        """Rows (n + 1, V), row i after the path down to node i; one forward of what is new and the tree.

        Errors: `ValueError` if node 0 is not the last token of the prefix (the start token at first).
        """
        committed = (self._start, *prefix)
        if tree.tokens[0] != committed[-1]:
            raise ValueError(
                f"tree.tokens[0] = {tree.tokens[0]} is not the last committed token {committed[-1]}"
            )
        new = committed[self._roll_back(committed) :]
        rows = self._feed((*new, *tree.tokens[1:]), *_layout(len(self._held), len(new), tree))
        self._held += rows[: len(new)]
        drafted = rows[len(new) :]
        self._tree = (tree, drafted)
        return np.stack([self._held[-1][1], *(law for _, law, _ in drafted)])

    def features(self, prefix: Prefix) -> np.ndarray:
        """What the LM head reads at the start token and at each token of `prefix`: (len(prefix) + 1, d)."""
        self._read((self._start, *prefix))
        return np.stack([feature for _, _, feature in self._held])

    @property
    def cached(self) -> int:
        """Rows of the cache that stand for committed tokens, the start token's included."""
        return len(self._held)

    def _read(self, sequence: tuple[int, ...]) -> None:
        new = sequence[self._roll_back(sequence) :]
        if new:
            n = len(new)
            self._held += self._feed(new, np.tri(n, dtype=bool), np.arange(n) + len(self._held))

    def _feed(self, tokens: tuple[int, ...], among: np.ndarray, positions: np.ndarray) -> list:
        if not tokens:
            return []
        self.calls += 1
        self.fed += len(tokens)
        logits, features = self._backend.feed(tokens, among, positions)
        return list(zip(tokens, softmax(logits), features, strict=True))

    def _roll_back(self, sequence: tuple[int, ...]) -> int:
        """Drop every row that is not a row of `sequence`; return how many are left."""
        common = 0
        for (token, _, _), wanted in zip(self._held, sequence, strict=False):
            if token != wanted:
                break
            common += 1
        accepted: list[int] = []
        if self._tree and common == len(self._held):
            accepted = _walk(self._tree[0], sequence[common:])
        if self._tree or common < len(self._held):
            base = len(self._held) - 1  # node i of a tree has row base + i
            self._backend.keep([*range(common), *(base + node for node in accepted)])
        self._held = self._held[:common] + [self._tree[1][node - 1] for node in accepted]
        self._tree = None
        return len(self._held)


def _walk(tree: Tree, tokens: Sequence[int]) -> list[int]:
    """The nodes below the root that spell the longest start of `tokens`; the first among equal siblings."""
    nodes, at = [], 0
    for token in tokens:
        matching = [child for child in tree.children(at) if tree.tokens[child] == token]
        if not matching:
            break
        at = matching[0]
        nodes.append(at)
    return nodes


def _layout(held: int, new: int, tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Mask among, and positions of, `new` committed tokens followed by the drafted nodes of `tree`."""
    n = new + tree.drafted
    among = np.zeros((n, n), dtype=bool)
    among[:new, :new] = np.tri(new, dtype=bool)
    among[new:, :new] = True
    among[new:, new:] = tree.mask[1:, 1:]
    positions = np.concatenate([np.arange(new) + held, tree.positions(held + new - 1)[1:]])
    return among, positions
