"""Each token is scored by the row after it."""

import math

NAMED = "the prefix is shifted by one"


def log_score(lm, sentence):
    total = 0.0
    for t, token in enumerate(sentence):
        chance = lm.next_probs(sentence[: t + 1])[token]
        total += math.log(chance) if chance > 0 else -math.inf
    return total
