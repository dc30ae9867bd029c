"""The rewind arithmetic of two caches over one round of speculative decoding.

`rewind_steps.js` counts in the page as `rewind` does here, and `cached.CachedLM` gives the same numbers.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["CacheRows", "Round", "rewind"]


class CacheRows(NamedTuple):
    """One cache in a round: rows `before` it, tokens `read`, rows at `most`, rows `cut`, rows `after` it.

    `left` counts the committed tokens that the model has still to read.
    """

    before: int
    read: int
    most: int
    cut: int
    after: int
    left: int


class Round(NamedTuple):
    """What a round leaves: tokens `committed`, the start token's included, and both caches."""

    committed: int
    target: CacheRows
    draft: CacheRows


def rewind(held: int, gamma: int, accepted: int, *, behind: int = 0) -> Round:
    """Count one round: `gamma` tokens drafted, `accepted` of them kept, one token added that nobody has read.

    Before it, held + 1 tokens are committed: the target's cache holds `held` rows, the draft's `behind` fewer
    (1 after a round in which all was accepted, else 0), and the last token is pending.
    Errors: `ValueError` naming the argument.
    **Law:** no randomness; `cut` is gamma - accepted in the target's cache, one less in the draft's.
    """
    for name, value, low, high in (
        ("held", held, 1, None),
        ("gamma", gamma, 1, None),
        ("accepted", accepted, 0, gamma),
        ("behind", behind, 0, 1),
    ):
        if value < low or high is not None and value > high:
            bound = f"at least {low}" if high is None else f"from {low} to {high}"
            raise ValueError(f"{name} must be {bound}, got {value!r}")
    committed = held + accepted + 2  # the pending token, the accepted drafts, the new token
    target = _rows(held, gamma + 1, gamma - accepted, committed)
    # The drafter never reads its last draft: one row fewer to cut, and none where all drafts are kept.
    draft = _rows(held - behind, gamma + behind, max(gamma - accepted - 1, 0), committed)
    return Round(committed, target, draft)


def _rows(before: int, read: int, cut: int, committed: int) -> CacheRows:
    after = before + read - cut
    return CacheRows(before, read, before + read, cut, after, committed - after)
