"""Forgets q."""

import numpy as np

NAMED = "you give"


def expected_score(p, q):
    return np.dot(p, p)
