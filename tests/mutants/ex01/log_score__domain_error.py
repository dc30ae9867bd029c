"""math.log(0) raises."""

import math

NAMED = "your function raises ValueError"


def log_score(lm, sentence):
    total = 0.0
    for t, token in enumerate(sentence):
        total += math.log(lm.next_probs(sentence[:t])[token])
    return total
