"""The library's."""

from decodelab import speculative


def best_gamma(alpha, c):
    return speculative.best_gamma(alpha, c)
