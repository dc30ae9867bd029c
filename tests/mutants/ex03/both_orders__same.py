"""Cooled first, both times."""

from decodelab import dists

NAMED = "in the row cut first, that is the other order"


def both_orders(logits, T, mass):
    p = dists.softmax(logits)
    return dists.top_p(dists.temperature(p, T), mass), dists.top_p(dists.temperature(p, T), mass)
