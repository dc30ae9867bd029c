"""Does not stop at the end token."""

NAMED = "goes on after the end token"


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens:
        sentence += (rng.categorical(lm.next_probs(sentence)),)
    return sentence
