"""u = 0 accepts an impossible token (known fault B53)."""

NAMED = "you keep an impossible token: test u < p/q"


def accept(p_x, q_x, *, rng):
    return rng.uniform() <= p_x / q_x
