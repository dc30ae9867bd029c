"""Gumbel-max in torch, masked tokens kept out at the end."""

import numpy as np
import torch

SAMPLED = True


def draw_rows(logits, *, rng):
    u = torch.as_tensor(rng.uniform(logits.shape)).clamp(1e-300, 1 - 2**-53)
    scores = torch.as_tensor(logits) - torch.log(-torch.log(u))
    return scores.masked_fill(torch.as_tensor(logits == -np.inf), -torch.inf).argmax(dim=1)
