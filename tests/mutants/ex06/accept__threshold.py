"""Kept only where the target wants more (spec.wrong.threshold)."""

NAMED = "a token with p < q is kept now and then"


def accept(p_x, q_x, *, rng):
    return p_x >= q_x
