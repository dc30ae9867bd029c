"""v multiplies everything."""

NAMED = "it does not multiply them"


def speedup(alpha, c, gamma, v):
    tokens = sum(alpha**i for i in range(gamma + 1))
    return tokens / (gamma * c + 1) / v
