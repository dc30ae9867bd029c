"""No limit where drafts are free: the end of the search comes out (an erratum of the sources)."""

NAMED = "it must be refused with a ValueError"


def best_gamma(alpha, c):
    speeds = [sum(alpha**i for i in range(g + 1)) / (g * c + 1) for g in range(600)]
    return speeds.index(max(speeds))
