"""The mass of token 0 alone."""

NAMED = "must be a row of 3 numbers"


def law_of_redraw(p):
    return p[0] ** 2
