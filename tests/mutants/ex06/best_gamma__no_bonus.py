"""The target's own token is forgotten."""

NAMED = "the target's own token counts too"


def best_gamma(alpha, c):
    if c == 0:
        raise ValueError("c = 0")
    speeds = [sum(alpha**i for i in range(1, g + 1)) / (g * c + 1) for g in range(600)]
    return speeds.index(max(speeds))
