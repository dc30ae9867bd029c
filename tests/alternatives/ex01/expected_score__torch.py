"""Single precision in torch."""

import torch


def expected_score(p, q):
    return torch.tensor(p, dtype=torch.float32) @ torch.tensor(q, dtype=torch.float32)
