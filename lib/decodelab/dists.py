"""Rows of probabilities: how to make them, reshape them and measure them.

A row is the last axis of an array; any leading axes are batches. Rows are float64, or object arrays of
`fractions.Fraction` where no logarithm is taken. Ties always go to the lowest id. Logarithms are
natural, so entropies and divergences are in nats.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Integral

import numpy as np

from decodelab.rng import as_array

__all__ = [
    "check_probs",
    "entropy",
    "eta",
    "greedy",
    "kl",
    "left_over",
    "locally_typical",
    "min_p",
    "normalise",
    "one_hot",
    "residual",
    "softmax",
    "temperature",
    "top_k",
    "top_p",
    "tv",
]

SUM_TOLERANCE = 1e-6  # what a float32 row of 128,256 entries misses 1 by, with room


# --- making rows -----------------------------------------------------------------------------------


def softmax(logits, temperature=1.0) -> np.ndarray:
    """Turn logits of shape (..., V) into probabilities of the same shape at `temperature` T >= 0.

    T = 0 is the one-hot row on the largest logit. -inf marks a token that must not occur.
    Errors: `ValueError` for NaN, +inf, a row of -inf only, or a T that is negative or not finite.
    **Law:** exact. Source: exp(z/T)/sum exp(z/T), with max z subtracted before the division so that
    neither a large z nor a tiny T overflows.
    """
    logits = as_array(logits)
    _check_logits(logits)
    _check_temperature(temperature)
    if temperature == 0:
        return one_hot(np.argmax(logits, axis=-1), logits.shape[-1])
    gap = logits - logits.max(axis=-1, keepdims=True)
    with np.errstate(over="ignore"):  # a gap / T beyond float64 is -inf, and its weight rightly 0
        weights = np.exp(gap / temperature)
    return weights / weights.sum(axis=-1, keepdims=True)


def normalise(weights) -> np.ndarray:
    """Divide non-negative weights (..., V) by their sum.

    Errors: `ValueError` if a weight is negative, NaN or infinite, or a row is zero throughout.
    """
    weights = _as_rows(weights, "weights")
    _refuse(weights, ~((weights >= 0) & (weights < np.inf)), "weights", "is not a weight")
    with np.errstate(over="ignore"):
        total = weights.sum(axis=-1, keepdims=True)
    if not (total < np.inf).all():
        raise ValueError("weights add up to more than a float can hold: scale them down")
    if not (total > 0).all():
        where = tuple(np.argwhere(~(total > 0)[..., 0])[0].tolist())
        raise ValueError(f"weights{list(where) if where else ''} are zero throughout: nothing to normalise")
    return weights / total


def one_hot(index, vocab_size: int) -> np.ndarray:
    """Rows (..., V) with all mass on `index` (...,), each in [0, V).

    Errors: `ValueError` for an index outside [0, vocab_size).
    """
    index = np.asarray(index)
    if not np.issubdtype(index.dtype, np.integer):
        raise ValueError(f"index must be whole numbers, got {index.tolist()}")
    if not ((index >= 0) & (index < vocab_size)).all():
        raise ValueError(f"index {index.tolist()} lies outside [0, {vocab_size})")
    return (np.arange(vocab_size) == index[..., None]).astype(np.float64)


def residual(p, q) -> np.ndarray:
    """The row norm((p - q)+): what p has and q lacks. Shapes: both (..., V).

    Where p - q is nowhere positive (p = q) there is nothing to normalise and p itself is returned; a
    rejection has probability zero there, so the choice changes no law, only a 0/0.
    **Law:** exact. Source: Leviathan et al. 2023 (arXiv 2211.17192), algorithm 1.
    """
    return left_over(*_pair(p, q))


def left_over(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """`residual` for rows that were checked before: what a rule calls in its loop."""
    excess = np.maximum(p - q, p * 0)
    total = excess.sum(axis=-1, keepdims=True)
    empty = total == 0
    return np.where(empty, p, excess / np.where(empty, total + 1, total))


# --- maps of rows: temperature and truncation -------------------------------------------------------


def greedy(p) -> np.ndarray:
    """The one-hot row on the likeliest token, ties to the lowest id. Shape (..., V) in and out.

    **Law:** exact for greedy (the map of temperature 0).
    """
    p = check_probs(p, "p")
    return p * 0 + one_hot(np.argmax(p, axis=-1), p.shape[-1]).astype(int)  # Fractions stay Fractions


def temperature(p, T) -> np.ndarray:
    """The row proportional to p^(1/T), shape (..., V); T = 0 is `greedy`, T = 1 the identity.

    From logits prefer `softmax(logits, T)`: a probability that has underflowed to 0 stays 0 here.
    Errors: `ValueError` for T < 0, NaN or infinite, or Fractions with a T for which p^(1/T) is irrational.
    **Law:** exact.
    """
    p = check_probs(p, "p")
    _check_temperature(T)
    if T == 0:
        return greedy(p)
    if T == 1:
        return p.copy()
    if p.dtype == object:
        power = 1 / Fraction(T)
        if power.denominator != 1:
            raise ValueError(f"T = {T} makes Fractions irrational; use a Fraction(1, n), or float rows")
        return normalise(p ** int(power))
    with np.errstate(divide="ignore"):
        return softmax(np.log(p), T)


def top_k(p, k: int) -> np.ndarray:
    """Keep the k likeliest tokens and renormalise. Shape (..., V); k >= V is the identity.

    Exactly k are kept: ties go to the lowest id.
    Errors: `ValueError` for k < 1 or not an integer (no tool agrees on what 0 means; leave the map out).
    **Law:** exact. Source: Fan et al. 2018 (arXiv 1805.04833).
    """
    p = check_probs(p, "p")
    if isinstance(k, bool) or not isinstance(k, Integral) or k < 1:
        raise ValueError(f"k must be an integer of at least 1, got {k!r}")
    if k >= p.shape[-1]:
        return p.copy()
    return _keep_ranks(p, _order(p), np.full(p.shape[:-1], int(k)))


def top_p(p, mass) -> np.ndarray:
    """Keep the shortest prefix of the sorted row whose mass reaches `mass`, and renormalise.

    Shape (..., V). A token stays while the mass *before* it is below `mass`, so the one that crosses the
    bound stays too; mass >= 1 is the identity and mass = 0 keeps one token. Sums are float64 (or exact).
    Errors: `ValueError` for a negative or NaN `mass`.
    **Law:** exact. Source: Holtzman et al. 2020 (arXiv 1904.09751), section 3.1.
    """
    p = check_probs(p, "p")
    _check_level(mass, "mass", upper=None)
    if mass >= 1:
        return p.copy()
    return _keep_mass(p, _order(p), mass)


def min_p(p, ratio) -> np.ndarray:
    """Keep the tokens with probability at least `ratio` times the largest, and renormalise.

    Shape (..., V); `ratio` in [0, 1]. The likeliest token always stays.
    Errors: `ValueError` for a ratio outside [0, 1].
    **Law:** exact. Source: Nguyen et al. 2024 (arXiv 2407.01082).
    """
    p = check_probs(p, "p")
    _check_level(ratio, "ratio", upper=1)
    return normalise(np.where(p >= ratio * p.max(axis=-1, keepdims=True), p, p * 0))


def locally_typical(p, mass) -> np.ndarray:
    """Keep the tokens whose surprisal is nearest the row's entropy, until their mass reaches `mass`.

    Shape (..., V), float rows. mass >= 1 is the identity, mass = 0 keeps one token; a token of
    probability zero is never kept. (Not Medusa's typical *acceptance*, which is a rule, not a map.)
    Errors: `ValueError` for a negative or NaN `mass`.
    **Law:** exact. Source: Meister et al. 2023 (arXiv 2202.00666).
    """
    p = _floats(check_probs(p, "p"))
    _check_level(mass, "mass", upper=None)
    if mass >= 1:
        return p.copy()
    with np.errstate(divide="ignore"):
        distance = np.abs(-np.log(p) - entropy(p)[..., None])
    return _keep_mass(p, np.argsort(distance, axis=-1, kind="stable"), mass)


def eta(p, epsilon) -> np.ndarray:
    """Keep the tokens with probability above min(epsilon, sqrt(epsilon) * exp(-entropy)).

    Shape (..., V), float rows; `epsilon` in [0, 1]. The likeliest token always stays.
    Errors: `ValueError` for an epsilon outside [0, 1].
    **Law:** exact. Source: Hewitt et al. 2022 (arXiv 2210.15191).
    """
    p = _floats(check_probs(p, "p"))
    _check_level(epsilon, "epsilon", upper=1)
    bound = np.minimum(epsilon, np.sqrt(epsilon) * np.exp(-entropy(p)))[..., None]
    return normalise(np.where((p > bound) | (p == p.max(axis=-1, keepdims=True)), p, 0.0))


# --- measures ---------------------------------------------------------------------------------------


def entropy(p) -> np.ndarray:
    """Entropy of each row in nats, shape (...,); 0 log 0 counts as 0."""
    p = _floats(check_probs(p, "p"))
    return -(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1)


def tv(p, q):
    """Total variation distance (1/2) sum |p - q|, shape (...,): the most an event can differ by."""
    p, q = _pair(p, q)
    return np.abs(p - q).sum(axis=-1) / 2


def kl(p, q) -> np.ndarray:
    """Kullback-Leibler divergence sum p log(p/q) in nats, shape (...,); infinite where q = 0 < p."""
    p, q = map(_floats, _pair(p, q))
    with np.errstate(divide="ignore"):
        terms = p * (np.log(np.where(p > 0, p, 1.0)) - np.log(np.where(p > 0, q, 1.0)))
    return terms.sum(axis=-1)


# --- the boundary: what is refused, and the two ways to keep a part of a row -------------------------


def check_probs(p, name: str = "p") -> np.ndarray:
    """Return `p` as rows of probabilities, or raise a `ValueError` naming `name` and the position."""
    p = _as_rows(p, name)
    _refuse(p, ~((p >= 0) & (p < np.inf)), name, "is not a probability")
    total = p.sum(axis=-1)
    fits = np.asarray(np.abs(total - 1) < SUM_TOLERANCE)
    if not fits.all():
        where = np.argwhere(~fits)[0].tolist()
        raise ValueError(f"{name}{where or ''} sums to {np.asarray(total)[tuple(where)]}, not to 1")
    return p


def _pair(p, q) -> tuple[np.ndarray, np.ndarray]:
    p, q = check_probs(p, "p"), check_probs(q, "q")
    if p.shape[-1] != q.shape[-1]:
        raise ValueError(f"p and q must have rows of one length, got {p.shape[-1]} and {q.shape[-1]}")
    return p, q


def _as_rows(values, name: str) -> np.ndarray:
    values = as_array(values)
    if values.ndim == 0 or values.shape[-1] == 0:
        raise ValueError(f"{name} must have rows of at least one entry, got shape {values.shape}")
    return values


def _refuse(values: np.ndarray, bad: np.ndarray, name: str, why: str) -> None:
    if bad.any():
        where = np.argwhere(bad)[0].tolist()
        raise ValueError(f"{name}{where} = {values[tuple(where)]} {why}")


def _check_logits(logits: np.ndarray) -> None:
    if logits.ndim == 0 or logits.shape[-1] == 0:
        raise ValueError(f"logits must have rows of at least one entry, got shape {logits.shape}")
    _refuse(logits, np.isnan(logits) | (logits == np.inf), "logits", "is not a logit")
    masked = np.isneginf(logits).all(axis=-1)
    if masked.any():
        raise ValueError(f"logits{np.argwhere(masked)[0].tolist() or ''}: every token is masked (-inf)")


def _check_temperature(T) -> None:
    if not 0 <= T < np.inf:
        raise ValueError(f"temperature must be finite and at least 0, got {T!r}")


def _check_level(level, name: str, *, upper) -> None:
    if not level >= 0 or (upper is not None and level > upper):
        bounds = "at least 0" if upper is None else f"in [0, {upper}]"
        raise ValueError(f"{name} must be {bounds}, got {level!r}")


def _floats(p: np.ndarray) -> np.ndarray:
    return p.astype(np.float64)


def _order(p: np.ndarray) -> np.ndarray:
    return np.argsort(-p, axis=-1, kind="stable")  # stable: ties stay in the order of their ids


def _keep_mass(p: np.ndarray, order: np.ndarray, mass) -> np.ndarray:
    """Keep, along `order`, each token before which less than `mass` has passed (always the first)."""
    ranked = np.take_along_axis(p, order, axis=-1)
    before = np.cumsum(ranked, axis=-1)[..., :-1]
    kept = 1 + ((before < mass) & (ranked[..., 1:] > 0)).sum(axis=-1)
    return _keep_ranks(p, order, kept)


def _keep_ranks(p: np.ndarray, order: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Keep the first `kept` (...,) entries of each row along `order`, and renormalise."""
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(p.shape[-1]), order.shape), axis=-1)
    return normalise(np.where(rank < kept[..., None], p, p * 0))
