"""Only one order of each set."""

import itertools

import numpy as np

NAMED = "that is one order of several"


def subset_law(p, k):
    law = {}
    for order in itertools.combinations(np.flatnonzero(p).tolist(), k):
        mass, left = 1.0, 1.0
        for token in order:
            mass, left = mass * p[token] / left, left - p[token]
        chosen = tuple(sorted(order))
        law[chosen] = law.get(chosen, 0.0) + mass
    return law
