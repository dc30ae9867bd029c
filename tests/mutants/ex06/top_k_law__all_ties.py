"""Every token that ties with the last."""

import numpy as np

NAMED = "of equal tokens the lower id is ranked first, and k pass"


def top_k_law(p, q, k):
    kept = np.where(p >= np.sort(p)[-k], q, 0)
    return kept + (1 - kept.sum()) * p
