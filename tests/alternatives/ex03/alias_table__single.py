"""In single precision, torch."""

import torch


def alias_table(p):
    mass = [len(p) * float(x) for x in p]
    keep, alias = [1.0] * len(p), list(range(len(p)))
    open_ = sorted(range(len(p)), key=lambda i: mass[i])
    while len(open_) > 1:
        poor, rich = open_.pop(0), open_.pop()
        keep[poor], alias[poor] = min(mass[poor], 1.0), rich
        mass[rich] -= 1 - keep[poor]
        open_ = sorted([*open_, rich], key=lambda i: mass[i])
    return torch.tensor(keep), torch.tensor(alias)
