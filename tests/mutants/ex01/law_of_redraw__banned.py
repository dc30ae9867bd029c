"""Token 0 is forbidden instead of drawn again."""

NAMED = "the second draw may be 0 again"


def law_of_redraw(p):
    law = p.copy()
    law[0] = 0.0
    return law / law.sum()
