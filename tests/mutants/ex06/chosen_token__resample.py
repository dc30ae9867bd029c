"""A rejected token may come back."""

NAMED = "for p = (.3, .5, .2), x = 0, after a rejection you draw from p, x and all: token 0 gets .21 too much"


def chosen_token(p, x, *, rng):
    if rng.uniform() < p[x]:
        return x, True
    return rng.categorical(p), False
