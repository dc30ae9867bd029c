"""Speculative decoding: a round of it, the one loop behind every decoder, and what theory expects of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

import numpy as np

from decodelab import dists
from decodelab.models import LM, probs_tree
from decodelab.rng import Rng
from decodelab.tree import Draft, Prefix, Step, Tree, check_verdict

__all__ = [
    "acceptance",
    "best_gamma",
    "decode",
    "expected_calls",
    "expected_tokens",
    "expected_wasted",
    "least_rejections",
    "position_acceptance",
    "round_cost",
    "speculate",
    "speedup",
    "write",
]

MOST_DRAFTED, MOST_PREFIXES = 1000, 200_000


def speculate(target: LM, drafter: Callable[..., Draft], rule: Callable, *, end: int) -> Callable[..., Step]:
    """A round: draft, read the target's rows in one call, let the rule decide, emit what it kept and one.

    Returns `round(prefix, *, rng) -> Step`. Rules do not know the end token: after `end`, and below it in the
    tree, the target's row is one-hot on `end`, and whoever uses the Step cuts it there.
    Errors: `ValueError`, when a round is run, for a draft over another vocabulary than the target's, or a
    rule that returns no path down the draft's tree with a token id after it.
    **Law:** that of the rule.
    """

    def round(prefix: Prefix, *, rng: Rng) -> Step:
        draft = drafter(prefix, rng=rng)
        if draft.q.shape[1] != target.vocab_size:
            raise ValueError(
                f"draft has rows over {draft.q.shape[1]} tokens and target over {target.vocab_size}: "
                "they must share one vocabulary"
            )
        rows = _closed(probs_tree(target, prefix, draft.tree), draft.tree, end)
        path, token = check_verdict(rule(rows, draft, rng=rng), draft.tree, target.vocab_size)
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


def position_acceptance(
    p_rows: Mapping[Prefix, np.ndarray], q_rows: Mapping[Prefix, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """The acceptance at every prefix of a table, and its weight: the share of the tokens written there.

    Rows (V,) at the prefixes that have a next token, as for `exact.kernel_law`. Returns alpha and weight,
    both (N,), in the order of `p_rows`. A prefix counts by the probability that the target's text passes
    through it, so that `alpha @ weight` is the mean over tokens.
    Errors: `ValueError` for an empty table or one with a gap, or a prefix without a draft row; those of
    `acceptance`.
    """
    if not p_rows:
        raise ValueError("p_rows is empty: it needs a row at the prefix () at least")
    mass = {(): 1}
    for prefix in sorted(p_rows, key=len):
        if prefix and prefix[:-1] not in p_rows or prefix not in q_rows:
            raise ValueError(f"the tables have a gap: they need rows at {prefix} and at what leads to it")
        if prefix:
            mass[prefix] = mass[prefix[:-1]] * p_rows[prefix[:-1]][prefix[-1]]
    p, q = (np.stack([rows[prefix] for prefix in p_rows]) for rows in (p_rows, q_rows))
    weight = np.array([mass[prefix] for prefix in p_rows])
    return acceptance(p, q), weight / weight.sum()


def least_rejections(target: LM, draft: LM, *, length: int, end: int | None = None):
    """The fewest drafts that an exact rule refuses on average while `length` tokens are written.

    The sum over positions of E[TV(p, q)], the target's own text before each; a text stops at `end`. It binds
    every rule that judges a token by its own rows, and `rules.rejection` attains it (that of a round whose
    block reaches to the last token: bonus tokens are no rejections). `rules.traversal` looks at the whole
    block and can go below. Fractions give a Fraction.
    Errors: `ValueError` for a negative length, or more than 200,000 prefixes of one length.
    Source: Yin et al. 2024 (arXiv 2411.00841).
    """
    if length < 0:
        raise ValueError(f"length must be at least 0, got {length}")
    level, total = {(): 1}, 0
    for t in range(length):
        if len(level) > MOST_PREFIXES:
            raise ValueError(f"length = {length} is too long: {len(level):,} prefixes have {t} tokens")
        following = {}
        for prefix, mass in level.items():
            p = target.next_probs(prefix)
            total += mass * dists.tv(p, draft.next_probs(prefix))
            following |= {(*prefix, x): mass * p[x] for x in np.flatnonzero(p).tolist() if x != end}
        level = following
    return total


def expected_tokens(alpha: float, gamma: int) -> float:
    """Tokens a target call, (1 - alpha^(gamma + 1))/(1 - alpha) with its limit, the bonus token included.

    Assumes that each of the gamma drafted tokens is kept with the same chance, independently, and a text
    without an end.
    Errors: `ValueError` for alpha outside [0, 1] or a negative gamma.
    Source: Leviathan et al. 2023 (arXiv 2211.17192), equation 1.
    """
    _check_drafting(alpha, gamma)
    return sum(alpha**i for i in range(gamma + 1))  # the sum itself: no 0/0 at alpha = 1


def expected_wasted(alpha: float, gamma: int) -> float:
    """Drafted tokens a round that are not kept: gamma less the `expected_tokens` before the last one.

    Errors: those of `expected_tokens`.
    """
    return gamma + 1 - expected_tokens(alpha, gamma)


def expected_calls(alphas: Sequence[float], gamma: int) -> float:
    """Target calls for a text of len(alphas) tokens, where token t is kept with alphas[t] if it is drafted.

    Exact by a recursion from the last token back: a round ends at its first refusal or after gamma kept
    tokens, with one more token, and a block stops at the end of the text. Tokens a call are
    len(alphas)/expected_calls(alphas, gamma); for a mixture of texts divide the two expectations.
    Errors: `ValueError` for alphas that are no row, a chance outside [0, 1] or a negative gamma.
    """
    if np.ndim(alphas) != 1:
        raise ValueError(f"alphas must hold a chance for each token of the text, got {alphas!r}")
    for alpha in (0, *alphas):  # an empty text has a gamma too
        _check_drafting(alpha, gamma)
    length = len(alphas)
    calls = [0] * (length + 1)  # calls[t]: from position t on
    for t in reversed(range(length)):
        reach, calls[t] = 1, 1
        for i in range(t, min(t + gamma, length)):
            calls[t] += reach * (1 - alphas[i]) * calls[i + 1]
            reach *= alphas[i]
        if t + gamma < length:  # all kept: the bonus token stands at t + gamma
            calls[t] += reach * calls[t + gamma + 1]
    return calls[0]


def round_cost(gamma: int, c: float, *, v: float = 1.0) -> float:
    """The time of a round, gamma c + v, in plain target steps.

    `c` is the cost of drafting a token, `v` that of verifying gamma + 1 positions in one call (1 while the
    target waits for memory).
    Errors: `ValueError` for a negative gamma or c, or a v that is not positive.
    """
    _check_drafting(0, gamma)
    if not c >= 0 or not v > 0:
        raise ValueError(f"c must be at least 0 and v positive, got c = {c!r}, v = {v!r}")
    return gamma * c + v


def speedup(alpha: float, gamma: int, c: float, *, v: float = 1.0) -> float:
    """Expected tokens a unit of time, against one for plain decoding: `expected_tokens` over `round_cost`.

    Errors: those of the two.
    Source: Leviathan et al. 2023 (arXiv 2211.17192), theorem 3.8, with v = 1.
    """
    return expected_tokens(alpha, gamma) / round_cost(gamma, c, v=v)


def best_gamma(alpha: float, c: float, *, v: float | Callable[[int], float] = 1.0) -> int:
    """The draft length of the greatest `speedup`, the smaller of equals.

    `v` is the verification cost of `round_cost`: a number, or a function of gamma.
    Errors: `ValueError` if the speed-up still grows at 1,000 drafted tokens (drafting that costs nothing, or
    is never refused), and those of `speedup`.
    """
    _check_drafting(alpha, 0)
    checks = [v(gamma) if callable(v) else v for gamma in range(MOST_DRAFTED + 1)]
    costs = [round_cost(gamma, c, v=check) for gamma, check in enumerate(checks)]
    tokens = list(accumulate(alpha**i for i in range(MOST_DRAFTED + 1)))
    best = 0
    for gamma in range(1, MOST_DRAFTED + 1):
        # More tokens and more time are compared, not two speeds: for a tiny c these are equal in float64.
        more = alpha ** (best + 1) * tokens[gamma - best - 1]
        longer = (gamma - best) * c + (checks[gamma] - checks[best])
        if more * costs[best] > tokens[best] * longer or longer <= 0 < alpha:
            best = gamma
    if best == MOST_DRAFTED:
        raise ValueError(
            f"with c = {c!r} the speed-up still grows at gamma = {MOST_DRAFTED}, the most that is tried: "
            "drafting that is free, or never refused, has no best length"
        )
    return best


def _check_drafting(alpha: float, gamma: int) -> None:
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must lie in [0, 1], got {alpha!r}")
    if gamma < 0:
        raise ValueError(f"gamma must be at least 0, got {gamma!r}")
