"""One step too many."""

NAMED = "after the last step no row is needed"


def most_calls(width, steps, vocab_size):
    return sum(min(width, (vocab_size - 1) ** t) for t in range(steps + 1))
