"""From the last draft to the first, in float32."""

import numpy as np


def expected_tokens(alpha, gamma):
    mean = np.float32(1)
    for _ in range(gamma):
        mean = 1 + np.float32(alpha) * mean
    return mean
