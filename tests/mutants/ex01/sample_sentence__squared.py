"""Draws from p squared, normalised: too cold."""

NAMED = "too much"


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        p = lm.next_probs(sentence)
        sentence += (rng.categorical(p**2 / (p**2).sum()),)
    return sentence
