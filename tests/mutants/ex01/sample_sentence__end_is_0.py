"""The end token is taken to be 0, whatever `end` says."""

NAMED = "with end = 2"


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (0,):
        sentence += (rng.categorical(lm.next_probs(sentence)),)
    return sentence
