"""A small vocabulary is forgotten."""

NAMED = "a small vocabulary cannot fill the beam"


def most_calls(width, steps, vocab_size):
    return 1 + width * (steps - 1)
