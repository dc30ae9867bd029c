"""The bound of the textbook, which no beam reaches."""

NAMED = "the first step has one prefix"


def most_calls(width, steps, vocab_size):
    return width * steps
