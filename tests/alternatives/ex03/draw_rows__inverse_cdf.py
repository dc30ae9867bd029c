"""One uniform a row, drawn ahead: an exact law."""

import numpy as np


def draw_rows(logits, *, rng):
    tokens = []
    for row, u in zip(logits, list(rng.uniform(len(logits))), strict=True):
        possible = np.flatnonzero(row > -np.inf)
        weights = np.exp(row[possible] - row.max())
        below = np.cumsum(weights / weights.sum())[:-1]
        tokens.append(int(possible[np.searchsorted(below, u, side="right")]))
    return tuple(tokens)
