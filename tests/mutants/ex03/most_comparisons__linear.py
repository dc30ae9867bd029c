"""A linear scan."""

NAMED = "that is a linear scan"


def most_comparisons(vocab_size):
    return vocab_size - 1
