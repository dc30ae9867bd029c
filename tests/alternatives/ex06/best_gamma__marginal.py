"""A further draft pays as long as it adds more than the mean."""


def best_gamma(alpha, c):
    if c == 0 and alpha > 0:
        raise ValueError("no best length")
    tokens, seconds, gamma = 1.0, 1.0, 0
    while alpha ** (gamma + 1) * seconds > tokens * c:
        gamma += 1
        tokens, seconds = tokens + alpha**gamma, seconds + c
    return gamma
