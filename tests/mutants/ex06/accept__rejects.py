"""True where the draft should go."""

NAMED = "that is the chance of a rejection"


def accept(p_x, q_x, *, rng):
    return rng.uniform() >= p_x / q_x
