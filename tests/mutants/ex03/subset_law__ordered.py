"""Orders are not added up."""

import itertools

import numpy as np

NAMED = "in two orders: a set has none"


def subset_law(p, k):
    law = {}
    for order in itertools.permutations(np.flatnonzero(p).tolist(), k):
        mass, left = 1.0, 1.0
        for token in order:
            mass, left = mass * p[token] / left, left - p[token]
        chosen = tuple(order)
        law[chosen] = law.get(chosen, 0.0) + mass
    return law
