"""Two models that share their noise: both take the largest of log-probability plus the same Gumbel noise.

The drafter needs no row of the target and the target none of the draft's: they agree often because they
look at the same noise. What is emitted is the target's own draw, so the law needs no proof.
"""

from __future__ import annotations

import numpy as np

from decodelab import dists
from decodelab.sampling import gumbel_max

__all__ = ["gumbel_agreement", "gumbel_kernel", "gumbel_step"]


def gumbel_step(p, q, noise) -> tuple[int, int]:
    """The draft's token and the target's, each the largest of log-probability plus the same `noise`.

    Shapes: `p`, `q`, `noise` (V,). The target's token is emitted; the round goes on while the two agree.
    **Law:** exact for independent Gumbel noise: the first token has law q, the second p (a theorem).
    Source: Daliri et al. 2024 (arXiv 2408.07978).
    """
    with np.errstate(divide="ignore"):
        logits = [np.log(dists.check_probs(row, name)) for row, name in ((q, "q"), (p, "p"))]
    return gumbel_max(logits[0], noise), gumbel_max(logits[1], noise)


def gumbel_agreement(p, q):
    """The chance that `gumbel_step` draws the same token twice; rows (..., V), at least (1 - TV)/(1 + TV).

    **Law:** closed form, sum over x of 1 / sum_y max(p_y/p_x, q_y/q_x); tested on a grid of noise.
    Source: Daliri et al. 2024 (arXiv 2408.07978).
    """
    p, q = dists.check_probs(p, "p"), dists.check_probs(q, "q")
    return gumbel_kernel(p, q, None)[0].sum(axis=-1)


def gumbel_kernel(p, q, a):
    """What the coupling does at one slot of a chain: stay where the two tokens agree, end with the target's.

    The token x is drawn twice if its exponential clock beats the others at both rates. That has the mass
    p_x q_x / sum_y max(p_y q_x, q_y p_x), here without a quotient of two zeros.
    """
    stay = p * 0
    for x in range(p.shape[-1]):
        mine = p[..., x : x + 1], q[..., x : x + 1]
        total = np.maximum(p * mine[1], q * mine[0]).sum(axis=-1)
        stay[..., x] = mine[0][..., 0] * mine[1][..., 0] / np.where(total > 0, total, 1)
    return stay, p - stay, p * 0 + 1
