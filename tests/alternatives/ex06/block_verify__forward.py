"""From the left, all uniforms drawn, the last that passes remembered."""

import numpy as np


def block_verify(p, q, tokens, *, rng):
    gamma, a, kept, row = len(tokens), 1.0, 0, None
    for i in range(gamma + 1):
        if i > 0:
            a = min(a * p[i - 1][tokens[i - 1]] / q[i - 1][tokens[i - 1]], 1.0)
        left = p[i] if i == gamma else np.maximum(a * p[i] - q[i], 0)
        total = left.sum()
        h = a if i == gamma else total / (total + (1 - a)) if total > 0 else 0.0
        if i == 0 or rng.uniform() < h:
            kept, row = i, left / total if total > 0 else p[i]
    return kept, rng.categorical(row)
