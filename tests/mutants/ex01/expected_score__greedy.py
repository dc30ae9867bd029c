"""The best any answer can have."""

NAMED = "the best score any answer can have"


def expected_score(p, q):
    return max(p)
