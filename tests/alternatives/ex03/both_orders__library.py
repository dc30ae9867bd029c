"""With the library's maps; an array of two rows."""

import numpy as np
from decodelab import dists


def both_orders(logits, T, mass):
    cooled_first = dists.top_p(dists.softmax(logits, T), mass)
    cut = dists.top_p(dists.softmax(logits), mass)
    return np.stack([cooled_first, dists.temperature(cut, T)])
