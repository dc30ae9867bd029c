"""In torch, by the mass that is rejected."""

import torch


def residual(p, q):
    p, q = torch.as_tensor(p), torch.as_tensor(q)
    excess = p - torch.minimum(p, q)
    return torch.where(excess.sum() > 0, excess / excess.sum(), p)
