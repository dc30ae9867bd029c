"""Any order."""

NAMED = "the rows do not increase"


def keep(cache, rows):
    if any(not 0 <= row < len(cache) for row in rows):
        raise ValueError(rows)
    cache[:] = [cache[row] for row in rows]
