"""The second by a mask on the logits."""

import numpy as np


def both_orders(logits, T, mass):
    def softmax(z):
        weights = np.exp(z - z.max())
        return weights / weights.sum()

    def inside(p):
        order = np.argsort(-p, kind="stable")
        before = np.concatenate([[0], np.cumsum(p[order])[:-1]])
        return np.isin(np.arange(len(p)), order[before < mass])

    cooled = np.where(inside(softmax(logits / T)), logits / T, -np.inf)
    return softmax(cooled), softmax(np.where(inside(softmax(logits)), logits, -np.inf) / T)
