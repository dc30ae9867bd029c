"""A single-precision tensor."""

import torch


def law_of_redraw(p):
    p = torch.tensor(p, dtype=torch.float32)
    law = p + p[0] * p
    law[0] = p[0] ** 2
    return law
