"""The one loop behind every decoder: repeat a round until the end token or the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from decodelab.rng import Rng
from decodelab.tree import Prefix, Step

__all__ = ["decode", "write"]


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
    room = max_tokens
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
