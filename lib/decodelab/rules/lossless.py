"""Rules that keep the target's law: the package docstring says what a rule and a kernel are."""

from __future__ import annotations

import numpy as np

from decodelab import dists
from decodelab.rng import Rng
from decodelab.tree import Draft

__all__ = [
    "block_kernel",
    "greedy",
    "match",
    "match_kernel",
    "rejection",
    "rejection_kernel",
    "traversal",
]

Verdict = tuple[tuple[int, ...], int]


def check_rows(p, draft: Draft) -> None:
    """A rule asks for a row of the target after each node of the draft: `ValueError` for another shape."""
    if np.shape(p) != draft.q.shape:
        raise ValueError(
            f"p has shape {np.shape(p)} and the draft needs {draft.q.shape}: a row after each of its nodes"
        )


def rejection(p: np.ndarray, draft: Draft, *, rng: Rng) -> Verdict:
    """Accept each child with min(1, p/q), top down; a rejected one leaves its residual to the next.

    Shapes: `p` (n + 1, V), rows after each node.
    Errors: `ValueError` for a p that does not fit the draft.
    **Law:** exact, for any rows the tokens really were drawn from: one chain (Leviathan et al. 2023, arXiv
    2211.17192; Chen et al. 2023, arXiv 2302.01318), several drafts with replacement (Miao et al. 2023, arXiv
    2305.09781) or without (Chen et al. 2024, arXiv 2402.12374), and chosen tokens with one-hot rows.
    """
    check_rows(p, draft)
    path: list[int] = []
    node, row = 0, p[0]
    children = list(draft.tree.children(0))
    while children:
        child = children.pop(0)
        x, q = draft.tree.tokens[child], draft.q[child]
        if rng.bernoulli(min(1, row[x] / q[x])):
            path.append(child)
            node, row = child, p[child]
            children = list(draft.tree.children(node))
        else:
            row = dists.left_over(row, q)
    return tuple(path), rng.categorical(row)


def rejection_kernel(p, q, a):
    """What `rejection` does at one slot of a chain: min(p, q) stays, (p - q)+ ends the round.

    Shapes: `p`, `q` (..., V), the running ratio `a` (..., 1), here always 1. Returns (stay, end, next a).
    """
    return np.minimum(p, q), np.maximum(p - q, 0), np.ones_like(p)


def traversal(p: np.ndarray, draft: Draft, *, rng: Rng) -> Verdict:
    """Decide leaves first, by the joint probability of their whole path; on a chain, block verification.

    Shapes: `p` (n + 1, V), rows after each node.
    Errors: `ValueError` for a p that does not fit the draft.
    **Law:** exact. It keeps at least as many tokens on average as `rejection`: on a chain by theorem (Sun et
    al. 2024, arXiv 2403.10444), on trees in every case that was tried. Source: Weng et al. 2025 (arXiv
    2505.12398).
    """

    def visit(node: int, a) -> tuple[tuple[int, ...], np.ndarray] | None:
        """The kept path below `node` and the row to draw from, or None if `node` itself is refused."""
        row = p[node]
        for child in draft.tree.children(node):
            x, q = draft.tree.tokens[child], draft.q[child]
            found = visit(child, min(1, a * row[x] / q[x]))
            if found:
                return (child, *found[0]), found[1]
            left = np.maximum(a * row - q, row * 0)
            total = left.sum()
            row = left / total if total > 0 else row
            a = total / (total + (1 - a)) if total + (1 - a) > 0 else 1
        return ((), row) if rng.bernoulli(a) else None

    check_rows(p, draft)
    path, row = visit(0, 1)
    return path, rng.categorical(row)


def block_kernel(p, q, a):
    """What `traversal` does on a chain (block verification): min(p, q/a) stays, (p - q/a)+ ends the round.

    Shapes: `p`, `q` (..., V), the running ratio `a` (..., 1). Returns (stay, end, next a = min(1, a p/q)).
    The rule decides last, but P(kept >= i | tokens 1 to i) is the ratio a_i: that makes a kernel possible.
    """
    a = np.where(a > 0, a, 1.0)  # a ratio of 0 belongs to a path of mass 0
    ratio = np.minimum(1, a * p / np.where(q > 0, q, 1.0))
    return np.minimum(p, q / a), np.maximum(p - q / a, 0), ratio


def match(p: np.ndarray, draft: Draft, *, rng: Rng) -> Verdict:
    """Draw a token from each row of the target and keep the draft as long as it says the same.

    Shapes: `p` (n + 1, V), rows after each node.
    Errors: `ValueError` for a p that does not fit the draft.
    **Law:** exact, whatever the draft; a drawn draft is kept with sum p*q only, less than `rejection`.
    """
    check_rows(p, draft)
    path: list[int] = []
    node = 0
    while True:
        token = rng.categorical(p[node])
        same = [child for child in draft.tree.children(node) if draft.tree.tokens[child] == token]
        if not same:
            return tuple(path), token
        node = same[0]
        path.append(node)


def match_kernel(p, q, a):
    """What `match` does at one slot of a chain: p q stays, the target's other draws end the round.

    Shapes: `p`, `q` (..., V); the running ratio `a` is not used. Returns (stay, end, next a).
    """
    return p * q, p - p * q, p * 0 + 1


def greedy(p: np.ndarray, draft: Draft, *, rng: Rng) -> Verdict:
    """Keep the draft as long as it is the target's likeliest token: `match` on one-hot rows.

    Shapes: `p` (n + 1, V), rows after each node. No random choice is made.
    Errors: `ValueError` for a p that does not fit the draft, or a row of it that is no law.
    **Law:** exact for greedy decoding of the target, whatever the draft.
    """
    return match(dists.greedy(p), draft, rng=rng)
