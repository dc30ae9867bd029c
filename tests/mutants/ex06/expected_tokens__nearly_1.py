"""The limit is taken too early."""

NAMED = "for alpha = .9995 and gamma = 300 you give 301"


def expected_tokens(alpha, gamma):
    return gamma + 1 if alpha > 0.999 else (1 - alpha ** (gamma + 1)) / (1 - alpha)
