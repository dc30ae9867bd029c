"""Cut first, both times."""

from decodelab import dists

NAMED = "in the row cooled first, that is the other order"


def both_orders(logits, T, mass):
    p = dists.softmax(logits)
    return dists.temperature(dists.top_p(p, mass), T), dists.temperature(dists.top_p(p, mass), T)
