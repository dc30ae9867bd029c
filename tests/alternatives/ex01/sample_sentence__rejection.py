"""Proposes uniformly and keeps with a coin: no last trace, a chi-square test decides."""

import numpy as np

SAMPLED = True


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        p = lm.next_probs(sentence)
        token = rng.categorical(np.full(len(p), 1 / len(p)))
        if not rng.bernoulli(1 - p[token]):
            sentence += (token,)
    return sentence
