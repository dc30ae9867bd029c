"""All sets are equal."""

import itertools

import numpy as np

NAMED = "takes all sets as equal"


def subset_law(p, k):
    sets = list(itertools.combinations(np.flatnonzero(p).tolist(), k))
    return dict.fromkeys(sets, 1 / len(sets))
