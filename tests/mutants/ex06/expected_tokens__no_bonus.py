"""The target's own token is forgotten."""

NAMED = "for alpha = .8 and gamma = 4 you give 2.362: the target adds a token of its own"


def expected_tokens(alpha, gamma):
    return sum(alpha**i for i in range(1, gamma + 1))
