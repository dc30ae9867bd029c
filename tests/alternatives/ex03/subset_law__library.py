"""From the library's ordered law."""

import numpy as np
from decodelab import sampling


def subset_law(p, k):
    law = {}
    for order, mass in sampling.plackett_luce(p, k).items():
        law[tuple(sorted(order))] = law.get(tuple(sorted(order)), 0) + np.float64(mass)
    return law
