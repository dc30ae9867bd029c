"""A long grid in numpy."""

import numpy as np


def best_gamma(alpha, c):
    if alpha > 0 and not c > 0:
        raise ValueError("c must be positive")
    gamma = np.arange(5000)
    return np.argmax((1 - alpha ** (gamma + 1)) / (1 - alpha) / (gamma * c + 1))
