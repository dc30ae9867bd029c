"""As if rejection ended nothing."""

NAMED = "the first rejection ends a round"


def speedup(alpha, c, gamma, v):
    return (alpha * gamma + 1) / (gamma * c + v)
