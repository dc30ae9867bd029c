"""One power of alpha too few."""

NAMED = "there are gamma + 1 powers"


def speedup(alpha, c, gamma, v):
    return sum(alpha**i for i in range(gamma)) / (gamma * c + v)
