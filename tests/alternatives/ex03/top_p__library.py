"""The library's."""

from decodelab import dists


def top_p(p, mass):
    return dists.top_p(p, mass)
