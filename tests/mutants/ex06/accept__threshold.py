"""Kept only where the target wants more (spec.wrong.threshold)."""

NAMED = "every run gives False: your function draws nothing from rng"


def accept(p_x, q_x, *, rng):
    return p_x >= q_x
