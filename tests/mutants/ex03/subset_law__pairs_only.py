"""k is taken to be 2."""

import itertools

import numpy as np

NAMED = "a set holds 1 different tokens"


def subset_law(p, k):
    law = {}
    for order in itertools.permutations(np.flatnonzero(p).tolist(), 2):
        mass, left = 1.0, 1.0
        for token in order:
            mass, left = mass * p[token] / left, left - p[token]
        chosen = tuple(sorted(order))
        law[chosen] = law.get(chosen, 0.0) + mass
    return law
