"""The target's probability alone."""

NAMED = "you keep the draft with probability .5, right is 1: divide by q"


def accept(p_x, q_x, *, rng):
    return rng.bernoulli(p_x)
