"""A torch tensor and a torch scalar."""

import torch


def greedy_token(logits):
    logits = torch.as_tensor(logits)
    if torch.isnan(logits).any():
        raise ValueError("NaN")
    return logits.argmax()
