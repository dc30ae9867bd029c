"""Values and negated positions, sorted downwards."""


def rank(texts, alpha, prompt_length):
    new = [(tokens[prompt_length:], score) for tokens, score in texts]
    values = sorted(((s * len(t) ** -alpha, -i) for i, (t, s) in enumerate(new)), reverse=True)
    return [-i for _, i in values]
