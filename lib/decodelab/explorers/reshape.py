"""One row under a strategy: temperature and truncations, in either order. `rows.js` is the twin."""

from __future__ import annotations

from numbers import Integral

import numpy as np

from decodelab import dists

__all__ = ["FIRSTS", "check_strategy", "in_words", "reshaped"]

FIRSTS = ("temperature", "truncation")
HOTTEST = 2.0  # where the sliders end


def reshaped(p, *, T=1.0, k=None, mass=1.0, ratio=0.0, first="temperature") -> np.ndarray:
    """Rows `p` (..., V) at temperature `T` and cut to top-`k`, then top-p `mass`, then min-p `ratio`.

    `first` says what comes first, "temperature" or "truncation"; k = None cuts nothing. Each cut
    renormalises, so `mass` is measured on what top-k left.
    Errors: those of the maps in `dists`; `ValueError` for another `first`.
    **Law:** exact, of the row that the strategy draws from; that row is not p.
    """
    if first not in FIRSTS:
        raise ValueError(f'first must be "temperature" or "truncation", got {first!r}')
    if first == "temperature":
        return _truncated(dists.temperature(p, T), k, mass, ratio)
    return dists.temperature(_truncated(p, k, mass, ratio), T)


def _truncated(p, k, mass, ratio) -> np.ndarray:
    return dists.min_p(dists.top_p(p if k is None else dists.top_k(p, k), mass), ratio)


def check_strategy(*, T, k, mass, ratio, first, most: int) -> dict:
    """The strategy as a figure's parameters, k = None as `most`, the largest row.

    Errors: `ValueError` naming the argument that lies outside its slider.
    """
    k = most if k is None else k
    if not 0 <= T <= HOTTEST:
        raise ValueError(f"T must lie in [0, {HOTTEST:g}], got {T!r}")
    if isinstance(k, bool) or not isinstance(k, Integral) or not 1 <= k <= most:
        raise ValueError(f"k must be None or an integer from 1 to {most}, got {k!r}")
    for name, level in (("mass", mass), ("ratio", ratio)):
        if not 0 <= level <= 1:
            raise ValueError(f"{name} must lie in [0, 1], got {level!r}")
    if first not in FIRSTS:
        raise ValueError(f'first must be "temperature" or "truncation", got {first!r}')
    return {"T": float(T), "k": int(k), "mass": float(mass), "ratio": float(ratio), "first": first}


def in_words(strategy: dict) -> str:
    """A strategy of `check_strategy` for an alternative text: "T = 0.5, k = 6, ..., temperature first"."""
    numbers = ", ".join(f"{name} = {strategy[name]:g}" for name in ("T", "k", "mass", "ratio"))
    return f"{numbers}, {strategy['first']} first"
