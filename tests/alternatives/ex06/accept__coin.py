"""A coin with min(1, p/q)."""


def accept(p_x, q_x, *, rng):
    return rng.bernoulli(min(1.0, p_x / q_x))
