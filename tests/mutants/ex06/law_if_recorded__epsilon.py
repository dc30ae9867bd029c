"""A small number in the denominator."""

import numpy as np

NAMED = "you give (.4, .6, 0), token "


def law_if_recorded(p, drawn, recorded):
    kept = drawn * np.minimum(1, p / (recorded + 1e-5))
    excess = np.maximum(p - recorded, 0)
    rest = excess / excess.sum() if excess.sum() > 0 else p
    return kept + (1 - kept.sum()) * rest
