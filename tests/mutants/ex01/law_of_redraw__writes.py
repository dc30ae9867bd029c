"""Writes into its argument."""

NAMED = "writes into its argument"


def law_of_redraw(p):
    p[:] = [p[0] * p[0], *(p[1:] * (1 + p[0]))]
    return p
