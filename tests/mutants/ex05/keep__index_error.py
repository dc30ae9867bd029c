"""The wrong kind of refusal."""

NAMED = "raises IndexError, it must raise a ValueError"


def keep(cache, rows):
    cache[:] = [cache[row] for row in rows]
