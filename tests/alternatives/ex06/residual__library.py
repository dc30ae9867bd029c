"""The library's."""

from decodelab import dists


def residual(p, q):
    return dists.residual(p, q)
