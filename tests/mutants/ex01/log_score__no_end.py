"""The end token is not counted."""

import math

NAMED = "the last token is not counted"


def log_score(lm, sentence):
    total = 0.0
    for t, token in enumerate(sentence[:-1]):
        chance = lm.next_probs(sentence[:t])[token]
        total += math.log(chance) if chance > 0 else -math.inf
    return total
