"""Drafts are free."""

NAMED = "you do not pay for the drafts"


def speedup(alpha, c, gamma, v):
    tokens = sum(alpha**i for i in range(gamma + 1))
    return tokens / v
