"""By the sign of alpha, with numpy; returns numpy's bool."""

import numpy as np


def can_stop(finished, live, alpha, max_tokens):
    if not finished or not live:
        return np.bool_(not live)
    lengths, scores = np.array(finished, dtype=float).T
    growing, sums = np.array(live, dtype=float).T
    at = np.full_like(growing, max_tokens) if alpha >= 0 else growing + 1
    return (scores * lengths**-alpha).max() >= (sums * at**-alpha).max()
