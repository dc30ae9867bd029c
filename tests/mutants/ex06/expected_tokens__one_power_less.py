"""gamma powers."""

NAMED = "there are gamma + 1 powers, from 0 to gamma"


def expected_tokens(alpha, gamma):
    return sum(alpha**i for i in range(gamma))
