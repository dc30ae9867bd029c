"""The library's."""

from decodelab import speculative


def expected_tokens(alpha, gamma):
    return speculative.expected_tokens(alpha, gamma)
