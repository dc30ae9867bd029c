"""Adapters: code of the shapes that other libraries have, as a rule `(p, draft, *, rng) -> (path, token)`.

All of them take chains. Code that wants logits is wrapped once more by its owner,
`from_torch(lambda p, q, tokens: verify(p.log(), q.log(), tokens))`: the logarithm of a row is a row of
logits, with -inf where a token is impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral

import numpy as np

from decodelab.rng import NumpyRng, Rng
from decodelab.tree import Draft, Prefix

Verdict = tuple[tuple[int, ...], int]


def from_rows(f: Callable) -> Callable[..., Verdict]:
    """A rule from `f(p, q, tokens, *, rng) -> emitted`, the shape of most code.

    `p` (gamma + 1, V) holds the target's rows, `q` (gamma, V) the rows the gamma `tokens` were drawn from.
    `emitted` (a list, array or tensor) holds the drafted tokens that are kept and one token more; `rng` is an
    `Rng`, asked for an index, a coin or uniforms.
    Errors: the rule raises `ValueError` for a draft that is no chain, and for emitted tokens of which all but
    the last are not the first drafted ones.
    **Law:** that of `f`.
    """

    def rule(p: np.ndarray, draft: Draft, *, rng: Rng) -> Verdict:
        return _verdict(f(p, draft.q[1:].copy(), _chain(draft), rng=rng), draft)  # f may write into it

    return rule


def from_random(f: Callable) -> Callable[..., Verdict]:
    """A rule from `f(p, q, tokens, random) -> emitted`, code that calls `random()` or `random(shape)`.

    Each call returns uniforms on [0, 1) that were not used before. Shapes and errors as in `from_rows`.
    **Law:** that of `f`; computed exactly if `f` only scales, shifts and compares its uniforms.
    """
    return from_rows(lambda p, q, tokens, *, rng: f(p, q, tokens, rng.uniform))


def from_uniforms(f: Callable) -> Callable[..., Verdict]:
    """A rule from `f(p, q, tokens, u) -> emitted`, code that is handed its uniforms `u` (gamma + 1,).

    One for each drafted token and one for the token after those that are kept. Code that wants them in
    another shape takes `from_random` and `random(shape)`. Shapes and errors as in `from_rows`.
    **Law:** that of `f`; computed exactly if `f` only scales, shifts and compares its uniforms.
    """
    return from_rows(lambda p, q, tokens, *, rng: f(p, q, tokens, rng.uniform((len(tokens) + 1,))))


def from_torch(f: Callable) -> Callable[..., Verdict]:
    """A rule from `f(p, q, tokens) -> emitted`, torch code that draws from torch's own generator.

    `p` (gamma + 1, V) and `q` (gamma, V) are float64 tensors on the CPU, `tokens` (gamma,) int64. While `f`
    runs, `rand`, `rand_like`, `uniform_`, `bernoulli`, `bernoulli_`, `multinomial`, and what uses them in
    `torch.distributions`, draw from `rng` (`decodelab.exact.standins`). Uniforms may be moved about, cast,
    scaled, shifted and compared. Anything else that is random, or a generator of its own, is `NotEnumerable`;
    with a `NumpyRng` (the statistical way) `f` runs on torch's random numbers, seeded from `rng`. All this
    holds in this thread and for this call only, and torch's own generator is left as it was.
    Errors: as in `from_rows`.
    **Law:** that of `f` with real numbers as its uniforms (those of float32 have 24 bits).
    """

    def rule(p: np.ndarray, draft: Draft, *, rng: Rng) -> Verdict:
        import torch  # the other ways do without it

        from decodelab.exact.standins import seeded, standing_in

        source = seeded if isinstance(rng, NumpyRng) else standing_in
        rows, drafts = (torch.tensor(x.astype(np.float64)) for x in (p, draft.q[1:]))
        tokens = torch.tensor(_chain(draft), dtype=torch.int64)
        with source(rng):
            emitted = f(rows, drafts, tokens)
        return _verdict(emitted, draft)

    return rule


def _chain(draft: Draft) -> Prefix:
    """The drafted tokens of a chain."""
    if draft.tree.parents != tuple(range(-1, draft.tree.drafted)):
        raise ValueError(f"the draft is no chain: its parents are {draft.tree.parents}")
    return draft.tree.tokens[1:]


def _verdict(emitted: Sequence, draft: Draft) -> Verdict:
    """(path, token) of a chain: what is kept is all but the last."""
    tokens = _ids(emitted)
    if not tokens:
        raise ValueError("emitted holds no token; it must hold those that are kept and one more")
    *kept, token = tokens
    drafted = list(draft.tree.tokens[1:])
    if kept != drafted[: len(kept)]:
        raise ValueError(
            f"emitted {tokens} for the draft {drafted}: all but its last token must be drafted ones, in order"
        )
    return tuple(range(1, len(kept) + 1)), token


def _ids(emitted) -> list[int]:
    """Token ids from a sequence of numbers, or from an array or a tensor of any shape."""
    flat = emitted.reshape(-1).tolist() if hasattr(emitted, "reshape") else list(emitted)
    ids = [token.item() if hasattr(token, "item") else token for token in flat]
    for token in ids:
        if isinstance(token, bool) or not isinstance(token, Integral):
            raise ValueError(f"emitted holds {token!r}, which is not a token id")
    return ids
