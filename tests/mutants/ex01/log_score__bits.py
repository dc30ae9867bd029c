"""Logarithms to the base 2."""

import math

NAMED = "that is in bits"


def log_score(lm, sentence):
    total = 0.0
    for t, token in enumerate(sentence):
        chance = lm.next_probs(sentence[:t])[token]
        total += math.log2(chance) if chance > 0 else -math.inf
    return total
