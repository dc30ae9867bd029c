"""The others go, from the end."""


def keep(cache, rows):
    named = list(rows)
    if named != sorted({row for row in named if 0 <= row < len(cache)}):
        raise ValueError(f"rows = {named}")
    for row in reversed(range(len(cache))):
        if row not in named:
            cache.pop(row)
    return cache
