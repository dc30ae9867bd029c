"""Rules that accept more by changing the text: top-k acceptance, lenience, typical acceptance.

Each is cheap to state and in use. None keeps the target's law, and how far it strays can be computed: the
kernel of each stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real

import numpy as np

from decodelab import dists
from decodelab.rng import Rng
from decodelab.rules.lossless import Verdict, check_rows
from decodelab.tree import Draft

__all__ = [
    "lenient",
    "lenient_kernel",
    "top_k",
    "top_k_kernel",
    "typical_acceptance",
    "typical_kernel",
]


def top_k(p: np.ndarray, draft: Draft, *, k: int, rng: Rng) -> Verdict:
    """Keep a drafted token that is among the target's k likeliest; where none is, draw from the target.

    Shapes: `p` (n + 1, V), rows after each node. The whole vocabulary is ranked, tokens of probability zero
    included, ties to the lowest id: where the target allows fewer than k tokens, impossible ones pass.
    Errors: `ValueError` for a k below 1 or not an integer, or a p that does not fit the draft.
    **Law:** lossy: a draft that passes is emitted with the draft's probability and not the target's.
    """
    _check_k(k)
    return _first_that_passes(p, draft, lambda row: _among_top(row, k), rng)


def top_k_kernel(p, q, a, *, k: int):
    """What `top_k` does at one slot of a chain: q stays on the k likeliest tokens, the rest ends as p.

    Shapes: `p`, `q` (..., V); the running ratio `a` is not used. Returns (stay, end, next a).
    Errors: `ValueError` for a k below 1 or not an integer.
    """
    _check_k(k)
    return _redrawn(np.where(_among_top(p, k), q, q * 0), p)


def typical_acceptance(p: np.ndarray, draft: Draft, *, epsilon, delta, rng: Rng) -> Verdict:
    """Keep a drafted token whose target probability exceeds min(epsilon, delta exp(-H)), H in nats.

    Shapes: `p` (n + 1, V), rows after each node. Where no drafted token passes, draw from the target.
    Errors: `ValueError` for an epsilon or delta outside [0, 1], or a p that does not fit the draft.
    **Law:** lossy: whatever passes is emitted as often as it is drafted. For a fixed draft the accepted set
    never shrinks as the temperature rises. Source: the threshold is that of Cai et al. 2024 (arXiv
    2401.10774), section 2.3.1; where nothing passes they take the likeliest token, this rule draws.
    """
    _check_levels(epsilon, delta)
    return _first_that_passes(p, draft, lambda row: _typical(row, epsilon, delta), rng)


def typical_kernel(p, q, a, *, epsilon, delta):
    """What `typical_acceptance` does at one slot of a chain: q stays where it passes, the rest ends as p.

    Shapes: `p`, `q` (..., V); the running ratio `a` is not used. Returns (stay, end, next a).
    Errors: `ValueError` for an epsilon or delta outside [0, 1], or a row of p that is no law.
    """
    _check_levels(epsilon, delta)
    return _redrawn(np.where(_typical(p, epsilon, delta), q, q * 0), p)


def lenient(p: np.ndarray, draft: Draft, *, leniency, rng: Rng) -> Verdict:
    """`rejection` with an easier test: accept with min(1, p/(leniency q)), the residual unchanged.

    Shapes: `p` (n + 1, V), rows after each node. `leniency` in (0, 1]; 1 is `rejection`.
    Errors: `ValueError` for a leniency outside (0, 1], or a p that does not fit the draft.
    **Law:** lossy: a token's probability grows by at most 1/leniency.
    Source: Leviathan et al. 2023 (arXiv 2211.17192), appendix A.5.
    """
    _check_leniency(leniency)
    check_rows(p, draft)
    path: list[int] = []
    node, row = 0, p[0]
    children = list(draft.tree.children(0))
    while children:
        child = children.pop(0)
        x, q = draft.tree.tokens[child], draft.q[child]
        if rng.bernoulli(min(1, row[x] / (leniency * q[x]))):
            path.append(child)
            node, row = child, p[child]
            children = list(draft.tree.children(node))
        else:
            row = dists.left_over(row, q)
    return tuple(path), rng.categorical(row)


def lenient_kernel(p, q, a, *, leniency):
    """What `lenient` does at one slot of a chain: min(q, p/leniency) stays, the rest ends as the residual.

    Shapes: `p`, `q` (..., V); the running ratio `a` is not used. Returns (stay, end, next a).
    Errors: `ValueError` for a leniency outside (0, 1].
    """
    _check_leniency(leniency)
    stay = np.minimum(q, p / leniency)
    return stay, (1 - stay.sum(axis=-1, keepdims=True)) * dists.left_over(p, q), p * 0 + 1


def _first_that_passes(p: np.ndarray, draft: Draft, passing: Callable, rng: Rng) -> Verdict:
    """Descend to the first child whose token passes; where none does, draw from the node's row."""
    check_rows(p, draft)
    path: list[int] = []
    node = 0
    while True:
        passes = passing(p[node])
        good = [child for child in draft.tree.children(node) if passes[draft.tree.tokens[child]]]
        if not good:
            return tuple(path), rng.categorical(p[node])
        node = good[0]
        path.append(node)


def _redrawn(stay, p):
    """A kernel whose kept mass is `stay` and which draws from p again with all the rest."""
    return stay, (1 - stay.sum(axis=-1, keepdims=True)) * p, p * 0 + 1


def _among_top(p: np.ndarray, k: int) -> np.ndarray:
    """Booleans (..., V): is the token among the k likeliest of its row, zeros included?"""
    rank = np.argsort(np.argsort(-p, axis=-1, kind="stable"), axis=-1, kind="stable")
    return rank < k


def _typical(p: np.ndarray, epsilon, delta) -> np.ndarray:
    """Booleans (..., V): does the token pass the threshold of its row?"""
    bound = np.asarray(np.minimum(epsilon, delta * np.exp(-dists.entropy(p))))  # with Fractions no array yet
    return p > bound[..., None]


def _check_k(k) -> None:
    if isinstance(k, bool) or not isinstance(k, Integral) or k < 1:
        raise ValueError(f"k must be an integer of at least 1, got {k!r}")


def _check_levels(epsilon, delta) -> None:
    for name, value in (("epsilon", epsilon), ("delta", delta)):
        if not _up_to_one(value):
            raise ValueError(f"{name} must lie in [0, 1], got {value!r}")


def _check_leniency(leniency) -> None:
    if not _up_to_one(leniency) or leniency == 0:
        raise ValueError(f"leniency must lie in (0, 1], got {leniency!r}")


def _up_to_one(value) -> bool:
    return isinstance(value, Real) and bool(0 <= value <= 1)
