"""One draft is paid for."""

NAMED = "every draft costs c"


def speedup(alpha, c, gamma, v):
    tokens = sum(alpha**i for i in range(gamma + 1))
    return tokens / (c + v)
