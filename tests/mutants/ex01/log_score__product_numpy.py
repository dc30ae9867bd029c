"""The logarithm of the product: numpy says -inf for a long sentence."""

import numpy as np

NAMED = "whose probability no float can hold, you give -inf"


def log_score(lm, sentence):
    product = 1.0
    for t, token in enumerate(sentence):
        product *= lm.next_probs(sentence[:t])[token]
    return np.log(product)
