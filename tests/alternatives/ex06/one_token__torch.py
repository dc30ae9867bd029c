"""A list of a torch token and a numpy flag."""

import numpy as np
import torch


def one_token(p, q, *, rng):
    x = torch.tensor(rng.categorical(torch.tensor(q)))
    kept = np.bool_(rng.bernoulli(torch.clamp(torch.tensor(p[x] / q[x]), max=1.0)))
    if not kept:
        rest = torch.tensor(p - q).clamp(min=0)
        x = torch.tensor(rng.categorical(rest / rest.sum()))
    return [x, kept]
