"""One token more than the budget."""

NAMED = "longer than max_tokens"


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) <= max_tokens and sentence[-1:] != (end,):
        sentence += (rng.categorical(lm.next_probs(sentence)),)
    return sentence
