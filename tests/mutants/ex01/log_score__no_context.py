"""Every token is scored after the empty prefix."""

import math

NAMED = "every token is scored after the empty prefix"


def log_score(lm, sentence):
    total = 0.0
    for token in sentence:
        chance = lm.next_probs(())[token]
        total += math.log(chance) if chance > 0 else -math.inf
    return total
