"""In torch, with coins."""

import torch


def block_verify(p, q, tokens, *, rng):
    p, q, n = torch.as_tensor(p), torch.as_tensor(q), len(tokens)
    a = torch.ones(n + 1, dtype=torch.float64)
    for i, x in enumerate(tokens):
        a[i + 1] = torch.clamp(a[i] * p[i, x] / q[i, x], max=1)
    rest = torch.cat([torch.clamp(a[:n, None] * p[:n] - q, min=0), p[n:]])
    total = rest.sum(1)
    h = torch.nan_to_num(total / (total + (1 - a)))
    h[n] = a[n]
    for i in range(n, 0, -1):
        if rng.bernoulli(h[i]):
            return torch.tensor([i, rng.categorical(rest[i] / total[i])])
    return torch.tensor([0, rng.categorical(rest[0] / total[0])])
