"""How many samples tell a broken decoder from a right one: the mathematics of the figure `samples`.

Rows are token probabilities of shape (V,): `p` the target, `q` the draft. `maths.js` computes the same
in the browser; tests/test_explorers.py holds the two together, and each law to `decodelab.exact.law`.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, stats

from decodelab import dists

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

NO_SHIFT = 1e-24  # a shift below this is rounding: the two laws are the same


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


def shift(law, p) -> float:
    """The chi-square statistic that one sample adds on average: sum of (law - p)^2 / p, a pure number.

    Errors: `ValueError` where p has a zero: one sample of such a token decides, and the sum is infinite.
    """
    law, p = _pair(law, p, "law", "p")
    if not (p > 0).all():
        raise ValueError(f"p must be positive everywhere, got {p.tolist()}")
    return float(((law - p) ** 2 / p).sum())


def detection(law, p, n, cutoff) -> float:
    """The chance that Pearson's chi-square against p, at level `cutoff`, flags n samples of `law`.

    Shapes: rows (V,), V >= 2; n > 0 samples; `cutoff` in (0, 1), the chance that a right decoder is flagged.
    **Law:** approximate, for large n: non-central chi-square with V - 1 degrees of freedom and
    non-centrality n * `shift`. For the pair of page 00 the exact multinomial chance differs by less than
    .04 at n = 10 and less than .02 at n = 100 (tested). Source: Patnaik 1949, Biometrika 36, 202-232.
    """
    if not n > 0:
        raise ValueError(f"n must be positive, got {n!r}")
    freedom = len(np.asarray(p)) - 1
    return float(stats.ncx2.sf(_critical(cutoff, freedom), freedom, n * shift(law, p)))


def samples_needed(law, p, cutoff, chance=0.5) -> float:
    """How many samples `detection` needs to reach `chance`; infinite where law = p. Not rounded.

    Errors: `ValueError` for a chance that is not above `cutoff` and below 1, and those of `detection`.
    **Law:** approximate, as `detection`.
    """
    freedom, per_sample = len(np.asarray(p)) - 1, shift(law, p)
    critical = _critical(cutoff, freedom)
    if not cutoff < chance < 1:
        raise ValueError(f"chance must lie between cutoff = {cutoff} and 1, got {chance!r}")
    if per_sample < NO_SHIFT:
        return math.inf
    miss = optimize.brentq(lambda x: stats.ncx2.sf(critical, freedom, x) - chance, 0, 1e4, xtol=1e-11)
    return miss / per_sample


def _critical(cutoff, freedom: int) -> float:
    if not 0 < cutoff < 1:
        raise ValueError(f"cutoff must lie in (0, 1), got {cutoff!r}")
    return float(stats.chi2.isf(cutoff, freedom))


def _pair(first, second, name="p", other="q"):
    first, second = dists.check_probs(first, name), dists.check_probs(second, other)
    if first.ndim != 1 or first.shape != second.shape:
        shapes = f"{first.shape} and {second.shape}"
        raise ValueError(f"{name} and {other} must be rows of one shape, got {shapes}")
    return first, second
