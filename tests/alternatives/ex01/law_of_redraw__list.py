"""A list of Python numbers."""


def law_of_redraw(p):
    first, *others = p
    return [first * first] + [first * other + other for other in others]
