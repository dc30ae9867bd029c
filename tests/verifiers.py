"""The rejection rule as others write it: one shape for each adapter of `decodelab.exact`."""

import numpy as np
import torch
from decodelab.dists import left_over


def with_draws(p, q, tokens, *, rng):
    for i, x in enumerate(tokens):
        if not rng.bernoulli(min(1, p[i, x] / q[i, x])):
            return [*tokens[:i], rng.categorical(left_over(p[i], q[i]))]
    return [*tokens, rng.categorical(p[-1])]


def inverse_cdf(row, u):
    return next((x for x, total in enumerate(np.cumsum(row)) if u < total), int(np.flatnonzero(row > 0)[-1]))


def with_random(p, q, tokens, random):
    for i, x in enumerate(tokens):
        if not random() * q[i, x] < p[i, x]:
            return [*tokens[:i], inverse_cdf(left_over(p[i], q[i]), random())]
    return [*tokens, inverse_cdf(p[-1], random())]


def with_uniforms(p, q, tokens, u):
    n = len(tokens)
    kept = u[:n] * q[np.arange(n), list(tokens)] < p[np.arange(n), list(tokens)]
    n = int(np.cumprod(kept).sum())
    return [*tokens[:n], inverse_cdf(left_over(p[n], q[n]) if n < len(tokens) else p[n], u[-1])]


def with_torch(p, q, tokens):
    """As serving engines write it: all tests at once, then one draw from the row of the first refusal."""
    at = torch.arange(len(tokens))
    kept = torch.rand(len(tokens), dtype=p.dtype) * q[at, tokens] < p[at, tokens]
    n = int(kept.cumprod(dim=0).sum())
    row = p[n]
    if n < len(tokens):
        excess = (p[n] - q[n]).clamp(min=0)
        row = excess if excess.sum() > 0 else p[n]
    return torch.cat([tokens[:n], torch.multinomial(row, 1)])


def with_torch_scalars(p, q, tokens):
    emitted = []
    for i, x in enumerate(tokens.tolist()):
        if p[i, x] / q[i, x] <= torch.rand(()).item():
            row = (p[i] - q[i]).clamp(min=0)
            break
        emitted.append(x)
    else:
        row = p[-1]
    row = row if row.sum() > 0 else p[len(emitted)]
    below = row.cumsum(0)
    return [*emitted, torch.searchsorted(below / below[-1], torch.rand(1), right=True)]


def said(report) -> str:
    """What a report says, its lines joined again where they were wrapped for print."""
    return str(report).replace("\n  ", " ")
