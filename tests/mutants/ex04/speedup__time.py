"""Time instead of speed."""

NAMED = "that is the time, not the speed"


def speedup(alpha, c, gamma, v):
    tokens = sum(alpha**i for i in range(gamma + 1))
    return (gamma * c + v) / tokens
