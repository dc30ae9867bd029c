"""numpy's own generator instead of rng."""

import numpy as np

NAMED = "your function draws nothing from rng"


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        sentence += (int(np.random.default_rng(0).choice(lm.vocab_size, p=lm.next_probs(sentence))),)
    return sentence
