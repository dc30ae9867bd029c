"""One row."""

from decodelab import dists

NAMED = "return two rows"


def both_orders(logits, T, mass):
    p = dists.softmax(logits)
    return dists.top_p(dists.temperature(p, T), mass)
