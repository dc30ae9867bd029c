"""The best token at each step."""

import math

import numpy as np

NAMED = "you return ("


def most_probable(lm, *, end, max_tokens):
    sentence, score = (), 0.0
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        row = lm.next_probs(sentence)
        sentence += (int(np.argmax(row)),)
        score += math.log(row.max())
    return sentence, score
