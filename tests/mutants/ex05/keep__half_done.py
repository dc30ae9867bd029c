"""Refuses when it is half done."""

NAMED = "has changed the cache to"


def keep(cache, rows):
    for place, row in enumerate(rows):
        if not place <= row < len(cache):
            raise ValueError(rows)
        cache[place] = cache[row]
    del cache[len(rows) :]
