"""Every token is drawn after the empty prefix."""

NAMED = "after prefix ("


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        sentence += (rng.categorical(lm.next_probs(())),)
    return sentence
