"""gamma at alpha = 1."""

NAMED = "for alpha = 1 and gamma = 4 you give 4, 1 too little"


def expected_tokens(alpha, gamma):
    return gamma if alpha == 1 else (1 - alpha ** (gamma + 1)) / (1 - alpha)
