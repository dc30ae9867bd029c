"""No min: a coin of more than 1."""

NAMED = "q_x = .2 your function raises ValueError: a = 2.5 is not a probability: cut the ratio at 1"


def accept(p_x, q_x, *, rng):
    return rng.bernoulli(p_x / q_x)
