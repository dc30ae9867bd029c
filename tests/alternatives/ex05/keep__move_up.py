"""Each row moves up to its place."""


def keep(cache, rows):
    if any(not before < row < len(cache) for before, row in zip([-1, *rows], rows, strict=False)):
        raise ValueError(rows)
    for place, row in enumerate(rows):
        cache[place] = cache[row]
    del cache[len(rows) :]
