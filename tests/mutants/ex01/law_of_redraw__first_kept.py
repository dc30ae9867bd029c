"""The first draw is kept."""

NAMED = "you return p itself"


def law_of_redraw(p):
    return p
