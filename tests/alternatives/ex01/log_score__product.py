"""The logarithm of the product."""

import numpy as np


def log_score(lm, sentence):
    product = 1.0
    for t, token in enumerate(sentence):
        product *= lm.next_probs(list(sentence[:t]))[token]
    return np.log(product)
