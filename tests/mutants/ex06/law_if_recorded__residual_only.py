"""The residual alone."""

import numpy as np

NAMED = "add the drafts that are kept"


def residual(p, q):
    excess = np.maximum(p - q, 0)
    return excess / excess.sum() if excess.sum() > 0 else p


def law_if_recorded(p, drawn, recorded):
    return residual(p, recorded)
