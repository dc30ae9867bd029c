"""The library's."""

from decodelab import dists


def cool(p, T):
    return dists.temperature(p, T)
