"""The worst first."""

NAMED = "the worst comes first"


def rank(texts, alpha, prompt_length):
    def value(i):
        tokens, score = texts[i]
        return score / (len(tokens) - prompt_length) ** alpha

    return sorted(range(len(texts)), key=lambda i: (value(i), -i))
