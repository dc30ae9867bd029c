"""Does not stop at the end token."""

import numpy as np

NAMED = "goes on after the end"


def greedy_texts(lm, *, end, max_tokens):
    texts, live = {}, {(): 1.0}
    while live:
        prefix, mass = live.popitem()
        if len(prefix) == max_tokens:
            texts[prefix] = mass
            continue
        row = lm.next_probs(prefix)
        for token in np.flatnonzero(row == row.max()).tolist():
            live[(*prefix, token)] = mass * float(row[token])
    return texts
