"""80 % a token taken for 80 % of the drafts (known fault B59)."""

NAMED = "you give 4.2: the first rejection ends the round, so it is less than alpha gamma + 1"


def expected_tokens(alpha, gamma):
    return alpha * gamma + 1
