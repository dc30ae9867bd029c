"""The law of the number of accepted drafts."""

import numpy as np


def speedup(alpha, c, gamma, v):
    accepted = np.arange(gamma + 1)
    law = alpha**accepted * np.where(accepted < gamma, 1 - alpha, 1.0)
    return np.dot(law, accepted + 1) / (gamma * c + v)
