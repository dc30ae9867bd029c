"""The residual knows the row that was drawn from."""

import numpy as np

NAMED = "replaces a rejected draft from (p - recorded)+"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def law_if_recorded(p, drawn, recorded):
    kept = drawn * np.minimum(1, p / np.where(recorded > 0, recorded, 1))
    return kept + (1 - kept.sum()) * residual(p, drawn)
