"""Every possible token is followed."""

import numpy as np

NAMED = "takes a token that is not the likeliest"


def greedy_texts(lm, *, end, max_tokens):
    texts, live = {}, {(): 1.0}
    while live:
        prefix, mass = live.popitem()
        if prefix[-1:] == (end,) or len(prefix) == max_tokens:
            texts[prefix] = mass
            continue
        row = lm.next_probs(prefix)
        for token in np.flatnonzero(row > 0).tolist():
            live[(*prefix, token)] = mass * float(row[token])
    return texts
