"""The library's."""

from decodelab import dists


def min_p(logits, ratio):
    return dists.min_p(dists.softmax(logits), ratio)
