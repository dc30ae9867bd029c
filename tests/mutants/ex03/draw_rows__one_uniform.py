"""One uniform decides all rows."""

import numpy as np

NAMED = "the tokens are not independent"


def draw_rows(logits, *, rng):
    u, tokens = rng.uniform(), []
    for row in logits:
        below = np.cumsum(np.exp(row - row.max()))
        possible = [i for i in range(len(row)) if row[i] > -np.inf]
        tokens.append(next((i for i in possible[:-1] if u * below[-1] < below[i]), possible[-1]))
    return tokens
