"""The ratio upside down."""

NAMED = "for p_x = .5, q_x = .2 you keep the draft with probability .4, right is 1: p and q are swapped"


def accept(p_x, q_x, *, rng):
    return p_x == 0 or rng.uniform() < q_x / p_x
