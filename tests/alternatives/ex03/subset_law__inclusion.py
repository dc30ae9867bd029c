"""Adds the tokens one by one: P(S) is a sum over the last one drawn. Keys are frozensets."""

from itertools import combinations


def subset_law(p, k):
    law = {frozenset(): 1.0}
    for size in range(1, k + 1):
        longer = {}
        for chosen in combinations(range(len(p)), size):
            mass = 0.0
            for last in chosen:
                before = frozenset(chosen) - {last}
                left = 1 - sum(p[token] for token in before)
                if before in law and left > 0:
                    mass += law[before] * p[last] / left
            longer[frozenset(chosen)] = mass
        law = longer
    return law
