"""The texts in place of their positions."""

NAMED = "each entry of for"


def rank(texts, alpha, prompt_length):
    def value(i):
        tokens, score = texts[i]
        return score / (len(tokens) - prompt_length) ** alpha

    return [texts[i][0] for i in sorted(range(len(texts)), key=lambda i: (-value(i), i))]
