"""One coin after another, from the last token to the first."""


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        p, left = lm.next_probs(sentence), 1.0
        for token in reversed(range(len(p))):
            if token == 0 or rng.bernoulli(min(p[token] / left, 1.0)):
                break
            left -= p[token]
        sentence += (token,)
    return sentence
