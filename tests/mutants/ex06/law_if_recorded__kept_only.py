"""The rejected mass is lost."""

import numpy as np

NAMED = "the tokens that replace rejected drafts are missing"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def law_if_recorded(p, drawn, recorded):
    kept = drawn * np.minimum(1, p / np.where(recorded > 0, recorded, 1))
    return kept
