"""The accepted share."""

NAMED = "that is the accepted share of the drafts"


def expected_tokens(alpha, gamma):
    return sum(alpha**i for i in range(1, gamma + 1)) / max(gamma, 1)
