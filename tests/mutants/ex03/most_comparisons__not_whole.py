"""Not rounded."""

import math

NAMED = "is a whole number"


def most_comparisons(vocab_size):
    return math.log2(vocab_size)
