"""Token 0 is counted although it is drawn again."""

NAMED = "the row sums to more than 1"


def law_of_redraw(p):
    return p * (1 + p[0])
