"""The library's."""

from decodelab import sampling


def draw(p, u):
    return sampling.linear_scan(p, u)
