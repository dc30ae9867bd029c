"""The named rows go."""

NAMED = "those are the rows to drop"


def keep(cache, rows):
    if any(not before < row < len(cache) for before, row in zip([-1, *rows], rows, strict=False)):
        raise ValueError(rows)
    for row in reversed(rows):
        del cache[row]
