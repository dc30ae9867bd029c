"""The digits of V, not of V - 1."""

NAMED = "one too many for a power of 2"


def most_comparisons(vocab_size):
    return vocab_size.bit_length()
