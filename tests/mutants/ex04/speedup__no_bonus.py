"""The target's own token forgotten."""

NAMED = "the target adds a token of its own"


def speedup(alpha, c, gamma, v):
    tokens = sum(alpha**i for i in range(gamma + 1))
    return (tokens - 1) / (gamma * c + v)
