"""All are divided by the length of the longest (known fault B33)."""

NAMED = "every text is divided by the same length"


def rank(texts, alpha, prompt_length):
    def value(i):
        tokens, score = texts[i]
        return score / (max(len(t) for t, _ in texts) - prompt_length) ** alpha

    return sorted(range(len(texts)), key=lambda i: (-value(i), i))
