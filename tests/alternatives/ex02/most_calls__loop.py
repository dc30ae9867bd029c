"""The live hypotheses are followed step by step."""


def most_calls(width, steps, vocab_size):
    calls, live = 0, 1
    for _ in range(steps):
        calls += live
        live = min(width, live * (vocab_size - 1))
    return calls
