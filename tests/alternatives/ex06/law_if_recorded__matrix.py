"""A matrix from draft to token, in torch."""

import torch


def law_if_recorded(p, drawn, recorded):
    p, drawn, recorded = map(torch.as_tensor, (p, drawn, recorded))
    keep = torch.where(recorded > 0, p / recorded.clamp(min=1e-30), torch.ones_like(p)).clamp(max=1)
    rest = (p - recorded).clamp(min=0)
    rest = rest / rest.sum() if rest.sum() > 0 else p
    return drawn @ (torch.diag(keep) + torch.outer(1 - keep, rest))
