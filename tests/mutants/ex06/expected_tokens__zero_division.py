"""0/0 at alpha = 1 (known fault B59)."""

NAMED = "for alpha = 1 and gamma = 4 your function raises ZeroDivisionError"


def expected_tokens(alpha, gamma):
    return (1 - alpha ** (gamma + 1)) / (1 - alpha)
