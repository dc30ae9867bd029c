"""The overlap sum min(p, q)."""

import numpy as np

NAMED = "the sum of min(p, q)"


def expected_score(p, q):
    return np.minimum(p, q).sum()
