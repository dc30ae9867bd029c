"""The prompt is counted (known fault B31)."""

NAMED = "the prompt is counted"


def rank(texts, alpha, prompt_length):
    def value(i):
        tokens, score = texts[i]
        return score / len(tokens) ** alpha

    return sorted(range(len(texts)), key=lambda i: (-value(i), i))
