"""From the last token backwards."""

import numpy as np


def log_score(lm, sentence):
    if not sentence:
        return 0
    *before, last = sentence
    return log_score(lm, tuple(before)) + np.log(lm.next_probs(before)[last])
