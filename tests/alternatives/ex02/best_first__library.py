"""The library's."""

from decodelab import beam


def best_first(lm, *, end, max_tokens):
    found, _ = beam.best_first(lm, end=end, max_tokens=max_tokens)
    return found.tokens, found.score
