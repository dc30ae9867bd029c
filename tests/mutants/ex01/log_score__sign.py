"""The surprisal instead of the score."""

import math

NAMED = "the sign is wrong"


def log_score(lm, sentence):
    total = 0.0
    for t, token in enumerate(sentence):
        chance = lm.next_probs(sentence[:t])[token]
        total += math.log(chance) if chance > 0 else -math.inf
    return -total
