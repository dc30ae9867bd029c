"""A uniform of 6 bits, after a logarithm that nobody uses: only a sample can tell."""

import math

import numpy as np

NAMED = "after prefix ("


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        u = rng.uniform()
        math.log(1 + u)
        edges = np.cumsum(lm.next_probs(sentence))[:-1]
        sentence += (int(np.searchsorted(edges, math.floor(64 * u) / 64, side="right")),)
    return sentence
