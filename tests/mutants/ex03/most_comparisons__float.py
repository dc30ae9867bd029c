"""A float cannot tell 2^53 + 1 from 2^53."""

import math

NAMED = "where a float rounds the size"


def most_comparisons(vocab_size):
    return math.ceil(math.log2(vocab_size))
