"""How many samples tell a broken decoder from a right one: the mathematics of the figure `samples`.

Rows are token probabilities of shape (V,): `p` the target, `q` the draft. `measures.js` and `maths.js`
compute the same in the browser; tests/test_explorers.py holds the two together, and each law to
`decodelab.exact.law`.
"""

from __future__ import annotations

import math

import numpy as np

from decodelab import dists
from decodelab.power import detection, samples_needed, shift

__all__ = [
    "detection",
    "law_byte_uniform",
    "law_redraw",
    "law_redraw_another",
    "law_rejection",
    "nearer",
    "samples_needed",
    "shift",
]


def nearer(q, p, t):
    """The draft row (1 - t) q + t p: as drawn at t = 0, the target itself at t = 1. Shape (V,).

    Errors: `ValueError` for t outside [0, 1] or rows that are no probabilities.
    """
    if not 0 <= t <= 1:
        raise ValueError(f"t must lie in [0, 1], got {t!r}")
    return (1 - t) * dists.check_probs(q, "q") + t * dists.check_probs(p, "p")


def law_rejection(p, q):
    """The law of a token drafted from q, kept with min(1, p/q), else drawn from norm((p - q)+). Shape (V,).

    **Law:** exact: it is p. Source: Leviathan et al. 2023 (arXiv 2211.17192), algorithm 1 and appendix A.1.
    """
    p, q = _pair(p, q)
    kept = np.minimum(p, q)
    return kept + (1 - kept.sum()) * dists.residual(p, q)


def law_redraw(p, q):
    """The law when a rejected token is replaced by a draw from p instead of the residual. Shape (V,).

    **Law:** lossy: tokens that the draft undervalues stay too rare.
    """
    p, q = _pair(p, q)
    kept = np.minimum(p, q)
    return kept + (1 - kept.sum()) * p


def law_redraw_another(p, q):
    """The law when a rejected token is replaced by a draw from p without that token. Shape (V,).

    **Law:** lossy: nearer than `law_redraw`, and still not p.
    """
    p, q = _pair(p, q)
    kept = np.minimum(p, q)
    rejected = q - kept  # by drafted token; nothing is rejected where p = 1
    rate = rejected / np.where(p < 1, 1 - p, p)
    return kept + p * (rate.sum() - rate)


def law_byte_uniform(p):
    """The law of inverse-CDF sampling from p when the uniform has 8 bits, u = floor(256 u)/256. Shape (V,).

    **Law:** lossy: every probability becomes a whole number of 256ths.
    """
    p = dists.check_probs(p, "p")
    below = [min(math.ceil(256 * total), 256) for total in np.cumsum(p)[:-1]]
    return np.diff([0, *below, 256]) / 256


def _pair(first, second, name="p", other="q"):
    first, second = dists.check_probs(first, name), dists.check_probs(second, other)
    if first.ndim != 1 or first.shape != second.shape:
        shapes = f"{first.shape} and {second.shape}"
        raise ValueError(f"{name} and {other} must be rows of one shape, got {shapes}")
    return first, second
