"""The end token is not counted (known fault B32)."""

NAMED = "the end token is not counted"


def rank(texts, alpha, prompt_length):
    def value(i):
        tokens, score = texts[i]
        return score / (len(tokens) - prompt_length - (tokens[-1] == 0)) ** alpha

    return sorted(range(len(texts)), key=lambda i: (-value(i), i))
