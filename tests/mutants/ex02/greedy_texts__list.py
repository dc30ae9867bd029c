"""The texts without their probabilities."""

import numpy as np

NAMED = "return a dict from text to probability"


def greedy_texts(lm, *, end, max_tokens):
    texts, live = {}, {(): 1.0}
    while live:
        prefix, mass = live.popitem()
        if prefix[-1:] == (end,) or len(prefix) == max_tokens:
            texts[prefix] = mass
            continue
        row = lm.next_probs(prefix)
        for token in np.flatnonzero(row == row.max()).tolist():
            live[(*prefix, token)] = mass * float(row[token])
    return list(texts)
