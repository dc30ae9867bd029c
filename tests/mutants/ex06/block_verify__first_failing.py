"""The first draft that fails ends the block."""

import numpy as np

NAMED = "you stop at the first draft that fails, the longest that passes counts"


def block_verify(p, q, tokens, *, rng):
    a = [1.0]
    for i, x in enumerate(tokens):
        a.append(min(1, a[-1] * p[i][x] / q[i][x]))
    for i in range(1, len(tokens) + 1):
        h = a[i]
        if i < len(tokens):
            total = np.maximum(a[i] * p[i] - q[i], 0).sum()
            h = total / (total + (1 - a[i])) if total > 0 else float(a[i] == 1)
        if not rng.uniform() < h:
            left = np.maximum(a[i - 1] * p[i - 1] - q[i - 1], 0)
            return i - 1, rng.categorical(left / left.sum() if left.sum() > 0 else p[i - 1])
    return len(tokens), rng.categorical(p[-1])
