"""A small number in the denominator."""

NAMED = "you keep the draft with probability .99999995, right is 1: is there an epsilon in a denominator"


def accept(p_x, q_x, *, rng):
    return rng.uniform() < p_x / (q_x + 1e-8)
