"""The library's function."""

from decodelab import speculative


def speedup(alpha, c, gamma, v):
    return speculative.speedup(alpha, gamma, c, v=v)
