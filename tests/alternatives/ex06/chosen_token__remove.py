"""Kept with p(x), else x is taken out."""


def chosen_token(p, x, *, rng):
    if rng.uniform() < p[x]:
        return x, True
    others = p.copy()
    others[x] = 0
    return rng.categorical(others / others.sum()), False
