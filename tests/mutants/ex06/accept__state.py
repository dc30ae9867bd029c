"""A count of the calls in place of rng, after a draw that cannot be enumerated."""

import itertools

NAMED = "your function draws from another source than rng, or remembers earlier calls"

calls = itertools.count(1)


def accept(p_x, q_x, *, rng):
    float(rng.uniform())
    return (next(calls) * 0.6180339887) % 1 < min(1, p_x / q_x) and p_x > 0
