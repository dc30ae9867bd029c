"""No division: u q < p; 0 or 1."""


def accept(p_x, q_x, *, rng):
    return int(rng.uniform() * q_x < p_x)
