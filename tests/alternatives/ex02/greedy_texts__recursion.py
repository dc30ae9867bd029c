"""Recursion, keys in the order of their making, numpy scalars."""

import numpy as np


def greedy_texts(lm, *, end, max_tokens):
    def texts(prefix):
        if prefix[-1:] == (end,) or len(prefix) == max_tokens:
            return {prefix: 1.0}
        row = lm.next_probs(prefix)
        found = {}
        for token in np.argwhere(row >= row.max())[:, 0]:
            for text, mass in texts((*prefix, token)).items():
                found[text] = row[token] * mass
        return found

    return texts(())
