"""A number in the denominator that only the largest uniform shows."""

NAMED = "and u = 1 - 2^-53 you refuse it, and must not: is there an epsilon in a denominator"


def accept(p_x, q_x, *, rng):
    return rng.uniform() < p_x / (q_x + 1e-12)
