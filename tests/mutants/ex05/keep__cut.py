"""Cut to as many rows."""

NAMED = "it is cut to 5 rows, but others are wanted"


def keep(cache, rows):
    if any(not before < row < len(cache) for before, row in zip([-1, *rows], rows, strict=False)):
        raise ValueError(rows)
    del cache[len(rows) :]
