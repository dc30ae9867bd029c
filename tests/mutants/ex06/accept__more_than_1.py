"""No min: a coin of more than 1."""

NAMED = "for p_x = .5, q_x = .2 your function raises ValueError: a = 2.5 is not a probability"


def accept(p_x, q_x, *, rng):
    return rng.bernoulli(p_x / q_x)
