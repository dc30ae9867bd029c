"""Independent draws, given that they differ."""

import itertools
import math

import numpy as np

NAMED = "independent draws, given that they differ"


def subset_law(p, k):
    sets = list(itertools.combinations(np.flatnonzero(p).tolist(), k))
    masses = [math.prod(p[list(s)]) for s in sets]
    return {s: mass / sum(masses) for s, mass in zip(sets, masses, strict=True)}
