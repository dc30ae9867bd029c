"""Rounded down."""

import math

NAMED = "round up"


def most_comparisons(vocab_size):
    return int(math.log2(vocab_size))
