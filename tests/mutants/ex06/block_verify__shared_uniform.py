"""One uniform for all tests (spec.wrong.sharedu)."""

import numpy as np

NAMED = "you test all with one uniform, each needs its own"


def block_verify(p, q, tokens, *, rng):
    a = [1.0]
    for i, x in enumerate(tokens):
        a.append(min(1, a[-1] * p[i][x] / q[i][x]))
    u = rng.uniform()
    for i in reversed(range(len(tokens) + 1)):
        left = np.maximum(a[i] * p[i] - q[i], 0) if i < len(tokens) else p[-1]
        total = left.sum()
        h = (total / (total + (1 - a[i])) if total > 0 else 0) if i < len(tokens) else a[-1]
        if i == 0 or u < h:
            return i, rng.categorical(left / total)
