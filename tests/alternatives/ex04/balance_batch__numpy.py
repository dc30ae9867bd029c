"""Division by zero allowed: 1 / (1 / b0 - C / ...)."""

import numpy as np


def balance_batch(parameters, weight_bytes, ridge, cache_bytes):
    inverse = 2 / (np.float64(ridge) * weight_bytes) - cache_bytes / (parameters * weight_bytes)
    return 1 / np.maximum(inverse, 0)
