"""The end token is continued like any other."""

NAMED = "what is finished does not grow"


def most_calls(width, steps, vocab_size):
    return sum(min(width, (vocab_size) ** t) for t in range(steps))
