"""Speculative decoding: a round of it, the one loop behind every decoder, and what theory expects of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from decodelab import dists
from decodelab.models import LM, probs_tree
from decodelab.rng import Rng
from decodelab.tree import Draft, Prefix, Step, Tree

__all__ = ["acceptance", "best_gamma", "decode", "expected_tokens", "speculate", "speedup", "write"]

MOST_DRAFTED = 1000


def speculate(target: LM, drafter: Callable[..., Draft], rule: Callable, *, end: int) -> Callable[..., Step]:
    """A round: draft, read the target's rows in one call, let the rule decide, emit what it kept and one.

    Returns `round(prefix, *, rng) -> Step`. Rules do not know the end token: after `end`, and below it in the
    tree, the target's row is one-hot on `end`, and whoever uses the Step cuts it there.
    **Law:** that of the rule.
    """

    def round(prefix: Prefix, *, rng: Rng) -> Step:
        draft = drafter(prefix, rng=rng)
        rows = _closed(probs_tree(target, prefix, draft.tree), draft.tree, end)
        path, token = rule(rows, draft, rng=rng)
        kept = (draft.tree.tokens[node] for node in path)
        return Step((*kept, token), drafted=draft.tree.drafted, accepted=len(path))

    return round


def _closed(rows: np.ndarray, tree: Tree, end: int) -> np.ndarray:
    """`rows` with one-hot rows on `end` at the drafted nodes whose path holds `end`."""
    if end not in tree.tokens[1:]:
        return rows
    over = [node for node in range(1, len(tree.tokens)) if end in tree.path_tokens(node)]
    rows = rows.copy()
    rows[over] = rows[over] * 0 + (np.arange(rows.shape[1]) == end)
    return rows


def decode(
    round: Callable[..., Step], prefix: Prefix = (), *, end: int | None = 0, max_tokens: int, rng: Rng
) -> Iterator[Step]:
    """Yield the Steps of `round(prefix, rng=rng)` until `end` is emitted or `max_tokens` are.

    A step that crosses either is cut there, also inside a block. `max_tokens=0` yields nothing.
    Errors: `ValueError` for a negative budget, or a round that emits nothing.
    **Law:** that of the round, repeated.
    """
    if max_tokens < 0:
        raise ValueError(f"max_tokens must be at least 0, got {max_tokens}")
    return _steps(round, tuple(prefix), end, max_tokens, rng)


def _steps(round, prefix: Prefix, end: int | None, room: int, rng: Rng) -> Iterator[Step]:
    while room > 0:
        step = round(prefix, rng=rng).cut(end=end, room=room)
        if not step.tokens:
            raise ValueError(f"round emitted nothing after {prefix}")
        yield step
        prefix, room = (*prefix, *step.tokens), room - len(step.tokens)
        if step.tokens[-1] == end:
            return


def write(
    round: Callable[..., Step], prefix: Prefix = (), *, end: int | None = 0, max_tokens: int, rng: Rng
) -> Prefix:
    """The tokens that `decode` emits, as one tuple."""
    steps = decode(round, prefix, end=end, max_tokens=max_tokens, rng=rng)
    return tuple(token for step in steps for token in step.tokens)


# --- what theory expects ------------------------------------------------------------------------------


def acceptance(p, q):
    """The chance sum min(p, q) = 1 - TV that `rules.rejection` keeps a token drawn from q; rows (..., V).

    Source: Leviathan et al. 2023 (arXiv 2211.17192), section 3.2.
    """
    return 1 - dists.tv(p, q)


def expected_tokens(alpha: float, gamma: int) -> float:
    """Tokens a target call, (1 - alpha^(gamma + 1))/(1 - alpha) with its limit, the bonus token included.

    Assumes that each of the gamma drafted tokens is kept with the same chance, independently.
    Errors: `ValueError` for alpha outside [0, 1] or a negative gamma.
    Source: Leviathan et al. 2023 (arXiv 2211.17192), equation 1.
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must lie in [0, 1], got {alpha!r}")
    if gamma < 0:
        raise ValueError(f"gamma must be at least 0, got {gamma!r}")
    return sum(alpha**i for i in range(gamma + 1))  # the sum itself: no 0/0 at alpha = 1


def speedup(alpha: float, gamma: int, c: float, *, v: float = 1.0) -> float:
    """Expected tokens a unit of time, against one for plain decoding: E/(gamma c + v).

    The unit is one plain target step. `c` is the cost of drafting a token, `v` that of verifying gamma + 1
    positions in one call (1 while the target waits for memory).
    Errors: `ValueError` for a negative c or a v that is not positive, and those of `expected_tokens`.
    Source: Leviathan et al. 2023 (arXiv 2211.17192), theorem 3.8, with v = 1.
    """
    if not c >= 0 or not v > 0:
        raise ValueError(f"c must be at least 0 and v positive, got c = {c!r}, v = {v!r}")
    return expected_tokens(alpha, gamma) / (gamma * c + v)


def best_gamma(alpha: float, c: float, *, v: Callable[[int], float] = lambda gamma: 1.0) -> int:
    """The draft length of the greatest `speedup`, the smaller of equals; `v(gamma)` is the verification cost.

    Errors: `ValueError` if the speed-up still grows at 1,000 drafted tokens (drafting that costs nothing).
    """
    if c == 0 and alpha > 0 and v(MOST_DRAFTED) <= v(0):
        raise ValueError(
            "with c = 0 every further draft helps: drafting that costs nothing has no best length"
        )
    speeds = [speedup(alpha, gamma, c, v=v(gamma)) for gamma in range(MOST_DRAFTED + 1)]
    best = int(np.argmax(speeds))
    if best == MOST_DRAFTED:
        raise ValueError(
            f"with c = {c!r} the speed-up still grows at gamma = {MOST_DRAFTED}, the most that is tried"
        )
    return best
