"""The rows are swapped."""

from decodelab import dists

NAMED = "the two rows are swapped"


def both_orders(logits, T, mass):
    p = dists.softmax(logits)
    return dists.temperature(dists.top_p(p, mass), T), dists.top_p(dists.temperature(p, T), mass)
