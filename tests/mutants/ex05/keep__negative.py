"""Negative numbers count from the end."""

NAMED = "where row -2 is not held, you return None"


def keep(cache, rows):
    if any(b <= a for a, b in zip(rows, rows[1:], strict=False)) or any(row >= len(cache) for row in rows):
        raise ValueError(rows)
    cache[:] = [cache[row] for row in rows]
