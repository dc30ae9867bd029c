"""Counted from 1."""

NAMED = "that is one too many"


def best_gamma(alpha, c):
    if c == 0:
        raise ValueError("c = 0")
    speeds = [sum(alpha**i for i in range(g + 1)) / (g * c + 1) for g in range(600)]
    return speeds.index(max(speeds)) + 1
