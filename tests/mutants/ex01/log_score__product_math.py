"""The logarithm of the product: math.log(0) raises for a long sentence."""

import math

NAMED = "whose probability no float can hold, your function raises ValueError"


def log_score(lm, sentence):
    product, possible = 1.0, True
    for t, token in enumerate(sentence):
        chance = lm.next_probs(sentence[:t])[token]
        product, possible = product * chance, possible and chance > 0
    return math.log(product) if possible else -math.inf
