"""Drawing one token after the other from a model's own law."""

from __future__ import annotations

from collections.abc import Callable

from decodelab.models import LM
from decodelab.rng import Rng
from decodelab.tree import Prefix, Step

__all__ = ["ancestral"]


def ancestral(lm: LM) -> Callable[..., Step]:
    """A round of plain sampling: one token drawn from `lm` given the prefix.

    Returns `round(prefix, *, rng) -> Step`; a decoder repeats it (`speculative.decode`). Greedy decoding
    is the same round on `Warped(lm, dists.greedy)`.
    **Law:** exact.
    """

    def round(prefix: Prefix, *, rng: Rng) -> Step:
        return Step((rng.categorical(lm.next_probs(prefix)),))

    return round
