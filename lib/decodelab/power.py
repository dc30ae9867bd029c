"""What a chi-square test can see: the chance that samples betray a wrong law, and how many it takes.

This is the other way to test a decoder, and the book computes what it is worth. Rows are (V,).
"""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, stats

from decodelab import dists

__all__ = ["detection", "noncentrality", "samples_needed", "shift"]

NO_SHIFT = 1e-24  # a shift below this is rounding: the two laws are the same


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
    Errors: `ValueError` for one outcome only, an n or cutoff outside its bounds, and those of `shift`.
    **Law:** approximate, for large n: non-central chi-square with V - 1 degrees of freedom and
    non-centrality n * `shift`. For the pair of page 00 the exact multinomial chance differs by less than
    .04 at n = 10 and less than .02 at n = 100 (tested). Source: Patnaik 1949, Biometrika 36, 202-232.
    """
    if not 0 < n < math.inf:
        raise ValueError(f"n must be positive and finite, got {n!r}")
    freedom = _freedom(p)
    return float(stats.ncx2.sf(_critical(cutoff, freedom), freedom, n * shift(law, p)))


def samples_needed(law, p, cutoff, chance=0.5) -> float:
    """How many samples `detection` needs to reach `chance`; infinite where law = p. Not rounded.

    Errors: `ValueError` for a chance that is not above `cutoff` and below 1, and those of `detection`.
    **Law:** approximate, as `detection`.
    """
    freedom, per_sample = _freedom(p), shift(law, p)
    wanted = noncentrality(freedom, cutoff, chance)
    return math.inf if per_sample < NO_SHIFT else wanted / per_sample


def noncentrality(freedom: int, cutoff, chance=0.5) -> float:
    """The non-centrality from which a chi-square at level `cutoff` fires with `chance`; `freedom` >= 1.

    Errors: `ValueError` for a cutoff outside (0, 1) or a chance that is not above `cutoff` and below 1.
    **Law:** approximate, as `detection`.
    """
    critical = _critical(cutoff, freedom)
    if not cutoff < chance < 1:
        raise ValueError(f"chance must lie between cutoff = {cutoff} and 1, got {chance!r}")
    return optimize.brentq(lambda x: stats.ncx2.sf(critical, freedom, x) - chance, 0, 1e4, xtol=1e-11)


def _freedom(p) -> int:
    if np.size(p) < 2:
        raise ValueError(f"p must have at least two outcomes, got {np.asarray(p).tolist()}")
    return np.size(p) - 1


def _critical(cutoff, freedom: int) -> float:
    if not 0 < cutoff < 1:
        raise ValueError(f"cutoff must lie in (0, 1), got {cutoff!r}")
    return float(stats.chi2.isf(cutoff, freedom))


def _pair(first, second, name, other):
    first, second = dists.check_probs(first, name), dists.check_probs(second, other)
    if first.ndim != 1 or first.shape != second.shape:
        shapes = f"{first.shape} and {second.shape}"
        raise ValueError(f"{name} and {other} must be rows of one shape, got {shapes}")
    return first, second
