"""The draft is taken to come from the recorded row."""

import numpy as np

NAMED = "that is p, which comes out only if"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def law_if_recorded(p, drawn, recorded):
    kept = np.minimum(p, recorded)
    return kept + (1 - kept.sum()) * residual(p, recorded)
