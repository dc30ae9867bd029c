"""The keys and values of the tokens read so far: preallocated, cut back by setting a length.

Row r of the cache belongs to the r-th token that was fed. Rows beyond `length` hold rubbish and are
overwritten; nothing may read them.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

__all__ = ["KVCache", "SlidingCache"]


class KVCache:
    """Keys and values (layers, kv_heads, capacity, head_dim) of one sequence."""

    def __init__(self, shape, capacity: int, *, dtype=torch.float32, device="cpu"):
        size = (shape.layers, shape.kv_heads, capacity, shape.head_dim)
        self.keys, self.values = (torch.zeros(size, dtype=dtype, device=device) for _ in range(2))
        self.positions = torch.zeros(capacity, dtype=torch.long, device=device)
        self.length = 0

    @property
    def capacity(self) -> int:
        """How many rows there is room for."""
        return self.keys.shape[2]

    def append(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Write one layer's n new rows (1, kv_heads, n, head_dim); return all its rows, new ones included.

        `length` moves in `advance`, once every layer has written.
        Errors: `ValueError` for a batch of more than one sequence, or if the rows do not fit.
        """
        batch, _, n, _ = keys.shape
        if batch != 1:
            raise ValueError(f"the cache holds one sequence, got a batch of {batch}")
        if self.length + n > self.capacity:
            raise ValueError(f"capacity = {self.capacity} rows: {self.length} are held and {n} more were fed")
        rows = slice(self.length, self.length + n)
        self.keys[layer, :, rows], self.values[layer, :, rows] = keys[0], values[0]
        return self.keys[None, layer, :, : rows.stop], self.values[None, layer, :, : rows.stop]

    def advance(self, positions: Tensor) -> None:
        """Count the rows just written as held; `positions` (n,) are their position ids."""
        self.positions[self.length : self.length + len(positions)] = positions
        self.length += len(positions)

    def mask(self, among: Tensor, positions: Tensor) -> Tensor:
        """(n, held + n) booleans: every new token sees all held rows, and `among` the new ones."""
        held = torch.ones(len(among), self.length, dtype=torch.bool, device=among.device)
        return torch.cat([held, among], dim=1)

    def truncate(self, length: int) -> None:
        """Forget all rows from `length` on. Errors: `ValueError` for a length that is not held."""
        if not 0 <= length <= self.length:
            raise ValueError(f"length = {length} lies outside [0, {self.length}]")
        self.length = length

    def keep(self, rows: Sequence[int]) -> None:
        """Keep these rows, in this order, and forget the others.

        Errors: `ValueError` for a row that is not held, or rows that do not increase.
        """
        rows = list(rows)
        if (
            any(b <= a for a, b in zip(rows, rows[1:], strict=False))
            or rows
            and not 0 <= rows[0] <= rows[-1] < self.length
        ):
            raise ValueError(f"rows must increase within [0, {self.length}), got {rows}")
        moved = next((i for i, row in enumerate(rows) if row != i), len(rows))
        source = torch.tensor(rows[moved:], dtype=torch.long, device=self.keys.device)
        for store, axis in ((self.keys, 2), (self.values, 2), (self.positions, 0)):
            store.narrow(axis, moved, len(rows) - moved).copy_(store.index_select(axis, source))
        self.length = len(rows)


class SlidingCache(KVCache):
    """A cache whose tokens see only the last `window` positions, and which forgets what is out of sight.

    `slack` more rows are kept, so that up to `slack` rows can be taken back. A rollback that would need a
    forgotten row is refused: without it the text would go on from a window with a hole.
    """

    def __init__(
        self, shape, window: int, *, slack: int = 0, capacity: int = 4096, dtype=torch.float32, device="cpu"
    ):
        if window < 1 or slack < 0:
            raise ValueError(f"window must be at least 1 and slack at least 0, got {window} and {slack}")
        super().__init__(shape, capacity, dtype=dtype, device=device)
        self.window, self.slack = window, slack
        self.forgotten = 0  # rows below this one are gone

    def advance(self, positions: Tensor) -> None:
        super().advance(positions)
        limit = max(0, self.length - self.window - self.slack)
        # A real system reuses the memory; here the rows are poisoned, so that reading one shows.
        self.keys[:, :, self.forgotten : limit] = self.values[:, :, self.forgotten : limit] = float("nan")
        self.forgotten = max(self.forgotten, limit)

    def append(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        keys, values = super().append(layer, keys, values)
        return keys[:, :, self.forgotten :], values[:, :, self.forgotten :]

    def mask(self, among: Tensor, positions: Tensor) -> Tensor:
        """(n, held + n) booleans over the rows not forgotten: within the window only."""
        seen = super().mask(among, positions)[:, self.forgotten :]
        rows = torch.cat([self.positions[self.forgotten : self.length], positions])
        return seen & (rows[None] > positions[:, None] - self.window)

    def truncate(self, length: int) -> None:
        """Forget all rows from `length` on. Errors: `ValueError` if the window before it is gone."""
        self._need(length)
        super().truncate(length)

    def keep(self, rows: Sequence[int]) -> None:
        """Keep these rows; forgotten ones may be named. Errors: `ValueError` as `truncate`."""
        rows = list(rows)
        self._need(len(rows))
        super().keep(rows)

    def _need(self, length: int) -> None:
        first = max(0, length - self.window)
        if first < self.forgotten:
            raise ValueError(
                f"length = {length} needs the rows from {first} on, those before {self.forgotten} are gone: "
                f"window = {self.window} with slack = {self.slack} can take back at most {self.slack} rows"
            )
