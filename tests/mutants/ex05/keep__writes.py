"""Empties rows."""

NAMED = "writes into rows"


def keep(cache, rows):
    if any(not before < row < len(cache) for before, row in zip([-1, *rows], rows, strict=False)):
        raise ValueError(rows)
    kept = [cache[row] for row in rows]
    if isinstance(rows, list):
        rows.clear()
    cache[:] = kept
