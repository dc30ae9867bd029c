"""Softmax of log p / T, in single precision."""

import torch


def cool(p, T):
    if T < 0:
        raise ValueError("T is negative")
    logits = torch.tensor(p).log()
    if T == 0:
        return torch.nn.functional.one_hot(logits.argmax(), len(p)).double()
    return torch.softmax((logits - logits.max()) / T, dim=0).float()
