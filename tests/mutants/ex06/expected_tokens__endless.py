"""The limit of endless rounds (an erratum of the sources)."""

NAMED = "that is for rounds without end"


def expected_tokens(alpha, gamma):
    return 1 / (1 - alpha)
