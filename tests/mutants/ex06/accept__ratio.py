"""The ratio itself."""

NAMED = "return True or False"


def accept(p_x, q_x, *, rng):
    return min(1, p_x / q_x)
