"""A token of the target: is it x?"""


def chosen_token(p, x, *, rng):
    y = rng.categorical(p)
    return y, y == x
