"""A new list (known fault B71)."""

NAMED = "you return a new list: the model reads the old one"


def keep(cache, rows):
    if any(not before < row < len(cache) for before, row in zip([-1, *rows], rows, strict=False)):
        raise ValueError(rows)
    return [cache[row] for row in rows]
