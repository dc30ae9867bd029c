"""The closed form at alpha = 1."""

NAMED = "for alpha = 1.0, c = 0.1, gamma = 4, v = 1.0 your function raises ZeroDivisionError"


def speedup(alpha, c, gamma, v):
    return (1 - alpha ** (gamma + 1)) / (1 - alpha) / (gamma * c + v)
