"""The largest probability instead of a draw."""

import numpy as np

NAMED = "your function draws nothing from rng"


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        sentence += (int(np.argmax(lm.next_probs(sentence))),)
    return sentence
