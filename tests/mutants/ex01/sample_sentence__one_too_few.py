"""One token less than the budget."""

NAMED = "stops before the end token and the budget"


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens - 1 and sentence[-1:] != (end,):
        sentence += (rng.categorical(lm.next_probs(sentence)),)
    return sentence
