"""A search that ends at 16 (an erratum of the sources)."""

NAMED = "for alpha = .9 and c = .02 you give 16: your search ends too early"


def best_gamma(alpha, c):
    if c == 0:
        raise ValueError("c = 0")
    speeds = [sum(alpha**i for i in range(g + 1)) / (g * c + 1) for g in range(17)]
    return speeds.index(max(speeds))
