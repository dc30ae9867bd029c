"""Nothing is cut."""

from decodelab import dists

NAMED = "nothing is cut"


def both_orders(logits, T, mass):
    p = dists.softmax(logits)
    return dists.temperature(p, T), dists.temperature(dists.top_p(p, mass), T)
