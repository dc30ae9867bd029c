"""A torch scalar, from an array of one uniform."""

import torch


def accept(p_x, q_x, *, rng):
    u = rng.uniform(1)[0]
    return torch.tensor([p_x >= q_x or bool(u < p_x / q_x)])
