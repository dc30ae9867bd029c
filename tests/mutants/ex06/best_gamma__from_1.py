"""At least one draft."""

NAMED = "no drafts at all is allowed, and better there"


def best_gamma(alpha, c):
    if c == 0:
        raise ValueError("c = 0")
    speeds = [sum(alpha**i for i in range(g + 1)) / (g * c + 1) for g in range(600)]
    return max(range(1, 600), key=speeds.__getitem__)
