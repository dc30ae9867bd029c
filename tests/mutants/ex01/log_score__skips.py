"""Impossible tokens are skipped."""

import math

NAMED = "where token 0 is impossible, you give -.8755, right is -inf"


def log_score(lm, sentence):
    chances = [lm.next_probs(sentence[:t])[token] for t, token in enumerate(sentence)]
    return sum(math.log(chance) for chance in chances if chance > 0)
