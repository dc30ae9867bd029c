"""The id comes back as a bfloat16 scalar."""

import torch


def greedy_token(logits):
    logits = torch.as_tensor(logits)
    if torch.isnan(logits).any():
        raise ValueError("NaN")
    return logits.argmax().to(torch.bfloat16)
