"""The largest of equals."""

NAMED = "for alpha = .5 and c = .5 you give 1: of equal lengths the smallest is wanted"


def best_gamma(alpha, c):
    if c == 0 and alpha > 0:
        raise ValueError("c = 0")
    tokens, seconds, gamma = 1.0, 1.0, 0
    while alpha ** (gamma + 1) * seconds >= tokens * c and c > 0:
        gamma += 1
        tokens, seconds = tokens + alpha**gamma, seconds + c
    return gamma
