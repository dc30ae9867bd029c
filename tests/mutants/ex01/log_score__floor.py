"""An impossible token gets a small probability."""

import math

NAMED = "right is -inf"


def log_score(lm, sentence):
    total = 0.0
    for t, token in enumerate(sentence):
        chance = max(lm.next_probs(sentence[:t])[token], 1e-12)
        total += math.log(chance)
    return total
