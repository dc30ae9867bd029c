"""Verification is free (known fault B119)."""

NAMED = "you give 2.401: that takes verifying to be free"


def speedup(alpha, c, gamma, v):
    tokens = sum(alpha**i for i in range(gamma + 1))
    return tokens / (gamma * c + 1)
