"""A stable argsort."""

import numpy as np


def rank(texts, alpha, prompt_length):
    lengths = np.array([len(tokens) - prompt_length for tokens, _ in texts], dtype=float)
    scores = np.array([score for _, score in texts])
    return np.argsort(-scores / lengths**alpha, kind="stable")
