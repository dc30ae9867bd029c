"""A row of the model is written into."""

import math

NAMED = "your function writes into the row after ()"


def log_score(lm, sentence):
    total = 0.0
    for t, token in enumerate(sentence):
        row = lm.next_probs(sentence[:t])
        chance = row[token]
        row[token] = 0.0
        total += math.log(chance) if chance > 0 else -math.inf
    return total
