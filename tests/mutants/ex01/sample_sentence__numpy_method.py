"""rng is taken for numpy's generator."""

NAMED = "rng has categorical(p), bernoulli(a) and uniform(shape)"


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        sentence += (int(rng.choice(lm.vocab_size, p=lm.next_probs(sentence))),)
    return sentence
