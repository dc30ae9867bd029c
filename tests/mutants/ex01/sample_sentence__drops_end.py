"""The end token is cut off."""

NAMED = "stops before the end token"


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        sentence += (rng.categorical(lm.next_probs(sentence)),)
    return sentence[:-1] if sentence[-1] == end else sentence
