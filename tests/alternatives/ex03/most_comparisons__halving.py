"""Halve until one is left."""


def most_comparisons(vocab_size):
    count = 0
    while vocab_size > 1:
        vocab_size, count = (vocab_size + 1) // 2, count + 1
    return count
