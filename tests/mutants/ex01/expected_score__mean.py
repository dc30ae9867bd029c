"""The mean over tokens."""

import numpy as np

NAMED = "the mean over tokens, not the sum"


def expected_score(p, q):
    return np.mean(p * q)
