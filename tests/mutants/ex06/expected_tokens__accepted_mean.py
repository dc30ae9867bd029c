"""The share of the drafts, no target."""

NAMED = "so fewer than alpha gamma are kept"


def expected_tokens(alpha, gamma):
    return alpha * gamma
