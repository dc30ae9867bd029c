"""Iterative deepening on probability: a bound falls until a text is found above it."""

import math


def best_first(lm, *, end, max_tokens):
    rows = {}

    def row(prefix):
        if prefix not in rows:
            rows[prefix] = lm.next_probs(prefix).tolist()
        return rows[prefix]

    def search(prefix, mass, bound):
        if prefix[-1:] == (end,):
            return (mass, prefix), 0.0
        if len(prefix) == max_tokens:
            return (0.0, ()), 0.0
        best, next_bound = (0.0, ()), 0.0
        for token, chance in enumerate(row(prefix)):
            if 0 < mass * chance < bound:
                next_bound = max(next_bound, mass * chance)
            elif chance > 0:
                found, lower = search((*prefix, token), mass * chance, bound)
                best, next_bound = max(best, found), max(next_bound, lower)
        return best, next_bound

    bound, best = 1.0, (0.0, ())
    while not best[1]:
        best, bound = search((), 1.0, bound)
    return best[1], math.log(best[0])
