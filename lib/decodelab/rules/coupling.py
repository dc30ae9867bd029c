"""Two models that share their noise: both take the largest of log-probability plus the same Gumbel noise.

The drafter needs no row of the target and the target none of the draft's: they agree often because they
look at the same noise. What is emitted is the target's own draw, so the law needs no proof.
"""

from __future__ import annotations

import numpy as np

from decodelab import dists
from decodelab.rng import as_array
from decodelab.sampling import gumbel_max

__all__ = ["gumbel_agreement", "gumbel_kernel", "gumbel_step"]


def gumbel_step(p, q, noise) -> tuple[int, int]:
    """The draft's token and the target's, each the largest of log-probability plus the same `noise`.

    Shapes: `p`, `q`, `noise` (V,). The target's token is emitted; the round goes on while the two agree.
    Errors: `ValueError` for a p or q that is no law, rows of two lengths, or noise that is NaN or too short.
    **Law:** exact for independent Gumbel noise: the first token has law q, the second p (a theorem).
    Source: Daliri et al. 2024 (arXiv 2408.07978).
    """
    p, q = (dists.check_probs(row, name).astype(np.float64) for row, name in ((p, "p"), (q, "q")))
    noise = np.asarray(noise, dtype=np.float64)
    if p.ndim != 1 or not p.shape == q.shape == noise.shape:
        raise ValueError(
            f"p, q and noise must be rows of one length, got shapes {p.shape}, {q.shape} and {noise.shape}"
        )
    if np.isnan(noise).any():
        raise ValueError(f"noise[{int(np.argmax(np.isnan(noise)))}] is NaN")
    with np.errstate(divide="ignore"):
        return gumbel_max(np.log(q), noise), gumbel_max(np.log(p), noise)


def gumbel_agreement(p, q):
    """The chance that `gumbel_step` draws the same token twice; rows (..., V), at least (1 - TV)/(1 + TV).

    Errors: `ValueError` for a row that is no law, or rows of two lengths.
    **Law:** closed form, sum over x of 1 / sum_y max(p_y/p_x, q_y/q_x); tested on a grid of noise.
    Source: Daliri et al. 2024 (arXiv 2408.07978).
    """
    p, q = dists.check_probs(p, "p"), dists.check_probs(q, "q")
    if p.shape[-1] != q.shape[-1]:
        raise ValueError(f"p and q must have rows of one length, got {p.shape[-1]} and {q.shape[-1]}")
    return gumbel_kernel(p, q, None)[0].sum(axis=-1)


def gumbel_kernel(p, q, a):
    """What the coupling does at one slot of a chain: stay where the two tokens agree, end with the target's.

    The token x is drawn twice if its exponential clock beats the others at both rates. That has the mass
    p_x q_x / sum_y max(p_y q_x, q_y p_x), here without a quotient of two zeros.
    Shapes: `p`, `q` (..., V), float64 or Fractions; the running ratio `a` is not used. Returns (stay, end,
    next a).
    """
    p, q = as_array(p), as_array(q)
    stay = p * q * 0
    for x in range(p.shape[-1]):
        mine = p[..., x : x + 1], q[..., x : x + 1]
        total = np.maximum(p * mine[1], q * mine[0]).sum(axis=-1)
        stay[..., x] = mine[0][..., 0] * mine[1][..., 0] / np.where(total > 0, total, 1)
    return stay, p - stay, stay * 0 + 1
