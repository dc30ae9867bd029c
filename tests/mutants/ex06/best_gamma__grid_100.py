"""A search that ends at 100."""

NAMED = "a good cheap draft wants long blocks"


def best_gamma(alpha, c):
    if c == 0:
        raise ValueError("c = 0")
    speeds = [sum(alpha**i for i in range(g + 1)) / (g * c + 1) for g in range(101)]
    return speeds.index(max(speeds))
