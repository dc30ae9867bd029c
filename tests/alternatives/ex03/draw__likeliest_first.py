"""The slices in order of probability; the token as a torch scalar."""

import numpy as np
import torch


def draw(p, u):
    order = [token for token in np.argsort(-p) if p[token] > 0]
    below = 0.0
    for token in order:
        below = below + p[token]
        if u < below:
            break
    return torch.tensor(token)
