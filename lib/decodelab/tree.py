"""The shapes that speculative decoding passes around: a tree of tokens, a draft over it, a step.

Indices: node 0 is the last committed token (the start token when nothing is committed yet), so a tree
with n *drafted* nodes feeds n + 1 positions to the target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral

import numpy as np

from decodelab.dists import check_probs

__all__ = ["Draft", "Prefix", "Step", "Tree", "check_verdict"]

Prefix = tuple[int, ...]


@dataclass(frozen=True)
class Tree:
    """Tokens and their parents: `parents[0] == -1`, and every other parent comes before its child."""

    tokens: tuple[int, ...]
    parents: tuple[int, ...]

    def __post_init__(self):
        object.__setattr__(self, "tokens", tuple(int(t) for t in self.tokens))
        object.__setattr__(self, "parents", tuple(int(i) for i in self.parents))
        if len(self.tokens) != len(self.parents) or not self.tokens:
            raise ValueError(f"tokens has {len(self.tokens)} entries and parents {len(self.parents)}")
        if self.parents[0] != -1:
            raise ValueError(f"parents[0] = {self.parents[0]}: node 0 is the root, its parent is -1")
        for node, parent in enumerate(self.parents[1:], start=1):
            if not 0 <= parent < node:
                raise ValueError(f"parents[{node}] = {parent}: a parent must come before its child")

    @classmethod
    def chain(cls, root: int, drafted: Sequence[int]) -> Tree:
        """A tree of width one: `root`, then each drafted token below the one before it."""
        return cls((root, *drafted), tuple(range(-1, len(drafted))))

    @property
    def drafted(self) -> int:
        """How many nodes are drafted (the root is not)."""
        return len(self.tokens) - 1

    @cached_property
    def depths(self) -> np.ndarray:
        """Distance from the root, shape (n + 1,)."""
        depths = np.zeros(len(self.tokens), dtype=int)
        for node, parent in enumerate(self.parents[1:], start=1):
            depths[node] = depths[parent] + 1
        return depths

    @cached_property
    def mask(self) -> np.ndarray:
        """(n + 1, n + 1) booleans: row i is True at i and at the ancestors of i, all a node may see."""
        mask = np.eye(len(self.tokens), dtype=bool)
        for node, parent in enumerate(self.parents[1:], start=1):
            mask[node] |= mask[parent]
        return mask

    def positions(self, prefix_length: int) -> np.ndarray:
        """Position ids (n + 1,) when the root stands at `prefix_length`: by depth, so siblings share one."""
        return prefix_length + self.depths

    def children(self, node: int) -> tuple[int, ...]:
        """The children of `node`, in drawing order."""
        return tuple(i for i, parent in enumerate(self.parents) if parent == node)

    def path(self, node: int) -> tuple[int, ...]:
        """The nodes from just below the root down to `node`; empty for the root."""
        return tuple(np.flatnonzero(self.mask[node])[1:].tolist())

    def path_tokens(self, node: int) -> Prefix:
        """The tokens along `path(node)`: what is committed if the path is accepted."""
        return tuple(self.tokens[i] for i in self.path(node))


@dataclass(frozen=True, eq=False)
class Draft:
    """A tree and, for every node, the row its token was *really drawn from*.

    `q` is (n + 1, V); row 0 is not used. `q[node]` is the law of that node's token given the prefix, its
    path and its earlier siblings: one-hot if the token was chosen and not drawn.
    Errors: `ValueError` if q has another shape, a row is not a law, or a drafted token has q = 0 there.
    """

    tree: Tree
    q: np.ndarray

    def __post_init__(self):
        q = np.asarray(self.q)
        if q.ndim != 2 or len(q) != len(self.tree.tokens):
            raise ValueError(f"q has shape {q.shape}; the tree needs ({len(self.tree.tokens)}, V)")
        for node in range(1, len(q)):
            check_probs(q[node], f"q[{node}]")
        for node, token in enumerate(self.tree.tokens[1:], start=1):
            if not 0 <= token < q.shape[1]:
                raise ValueError(f"tokens[{node}] = {token} lies outside [0, {q.shape[1]})")
            if not q[node, token] > 0:
                raise ValueError(f"q[{node}, {token}] = 0: node {node} cannot have been drawn from its row")
        object.__setattr__(self, "q", q)


@dataclass(frozen=True)
class Step:
    """What one round added: `tokens` emitted, of `drafted` proposed tokens `accepted` were kept."""

    tokens: Prefix
    drafted: int = 0
    accepted: int = 0

    def __post_init__(self):
        object.__setattr__(self, "tokens", tuple(self.tokens))

    def cut(self, *, end: int | None, room: int | None = None) -> Step:
        """Stop after the first `end` token and after `room` tokens.

        `accepted` then counts what was emitted only; `drafted` stays: those tokens were drafted.
        `end=None` knows no end token, `room=None` no limit.
        """
        kept = self.tokens if end not in self.tokens else self.tokens[: self.tokens.index(end) + 1]
        if room is not None:
            kept = kept[:room]
        if len(kept) == len(self.tokens):
            return self
        return Step(kept, self.drafted, min(self.accepted, len(kept)))


def check_verdict(verdict, tree: Tree, vocab_size: int) -> tuple[tuple[int, ...], int]:
    """What a rule returned for the draft over `tree`, as `(path, token)` of Python ints.

    Errors: `ValueError` if it is no pair, the path does not lead down from the root, or the token is no id.
    """
    try:
        path, token = verdict
        path = tuple(path)
    except (TypeError, ValueError):
        raise ValueError(f"the rule returned {verdict!r} and not a pair (path, token)") from None
    node = 0
    for child in path:
        if not _is_id(child, len(tree.tokens)) or tree.parents[child] != node:
            raise ValueError(f"the path {path} does not lead down: {child!r} is no child of {node}")
        node = child
    if not _is_id(token, vocab_size):
        raise ValueError(f"the token {token!r} is not an id in [0, {vocab_size})")
    return tuple(map(int, path)), int(token)


def _is_id(value, size: int) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and 0 <= value < size
