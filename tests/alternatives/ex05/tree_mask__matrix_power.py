"""Powers of the parent matrix, in torch."""

import torch


def tree_mask(parents):
    n = len(parents)
    step = torch.eye(n)
    for node in range(1, n):
        step[node, parents[node]] = 1.0
    return torch.linalg.matrix_power(step, n) > 0
