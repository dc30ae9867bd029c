"""A mask over the sorted row, scattered back."""

import torch


def top_p(p, mass):
    ranked, order = torch.sort(torch.tensor(p), descending=True, stable=True)
    before = ranked.cumsum(0) - ranked
    gone = torch.zeros_like(ranked, dtype=torch.bool)
    gone[1:] = ranked.cumsum(0)[:-1] >= mass
    if mass >= 1:
        gone[:] = False
    assert before[0] == 0
    kept = torch.zeros_like(ranked).scatter(0, order, ranked.masked_fill(gone, 0.0))
    return kept / kept.sum()
