"""Gumbel-max with token 2 preferred by .1: a bias of .025, and only a sample can tell."""

import numpy as np

NAMED = "after prefix ("


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        noise = -np.log(-np.log(rng.uniform(lm.vocab_size)))
        sentence += (int(np.argmax(np.log(lm.next_probs(sentence)) + noise + [0, 0, 0.1])),)
    return sentence
