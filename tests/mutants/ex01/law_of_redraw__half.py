"""The second draw keeps token 0 half as often."""

NAMED = "you give token 0"


def law_of_redraw(p):
    law = p * (1 + p[0])
    law[0] = p[0] * p[0] / 2
    return law
