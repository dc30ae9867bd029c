"""Many rows at once, on a GPU or a CPU: the maps of `dists` and the draws of `rng`, in torch.

The definition of each map is its namesake in `dists` (for `draw`, `rng.pick`); here stands the one
vectorised version, and tests feed both the same rows and the same uniforms. Rows are the last axis of a
tensor (..., V) of any float type. They are cast up once, to `working_dtype` of their device: float64 where
it exists, so that running sums over a large vocabulary do not drift and the kept sets are those of the
definition; float32 on a device without float64 (MPS), where sums of 100,000 entries are good to about
1e-3 only. Results have that type too.

Nothing here looks at the values of a tensor to refuse them, because each look makes a GPU wait: call
`check_logits` or `check_probs` once, where the rows come in. Numbers and shapes are always checked.
"""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from decodelab import dists

__all__ = [
    "check_logits",
    "check_probs",
    "draw",
    "eta",
    "gumbel_max",
    "locally_typical",
    "min_p",
    "softmax",
    "temperature",
    "top_k",
    "top_p",
    "working_dtype",
]


# --- the boundary ------------------------------------------------------------------------------------


@lru_cache
def working_dtype(device: torch.device) -> torch.dtype:
    """The type in which rows on `device` are computed: float64, or float32 where there is no float64."""
    try:
        torch.zeros(1, dtype=torch.float64, device=device)
    except (TypeError, RuntimeError):  # MPS has no float64, and says so with a TypeError
        return torch.float32
    return torch.float64


def check_logits(logits: Tensor) -> Tensor:
    """Return logits (..., V) cast up to the working type, or refuse what `dists.softmax` refuses.

    One pass over the rows and one wait for the device; -inf marks a token that must not occur.
    Errors: `ValueError` naming the position of a NaN or +inf, or the row in which every token is masked.
    """
    rows = _rows(logits, "logits")
    if not rows.amax(dim=-1).isfinite().all():  # NaN and +inf survive the maximum; of a masked row it is -inf
        dists.softmax(logits)  # raises: the definition finds the position, and has the words
    return rows


def check_probs(p: Tensor, name: str = "p") -> Tensor:
    """Return rows of probabilities (..., V) cast up, or refuse what `dists.check_probs` refuses.

    One wait for the device. Half-precision rows rarely sum to 1: take `softmax` of the logits instead.
    Errors: `ValueError` naming `name` and the position of what is no probability or does not sum to 1.
    """
    rows = _rows(p, name)
    fits = (rows.amin(dim=-1) >= 0) & ((rows.sum(dim=-1) - 1).abs() < dists.SUM_TOLERANCE)
    if not fits.all():
        dists.check_probs(p, name)
    return rows


# --- maps of rows ------------------------------------------------------------------------------------


def softmax(logits: Tensor, temperature: float = 1.0) -> Tensor:
    """Turn logits of shape (..., V) into probabilities of the same shape at `temperature` T >= 0.

    T = 0 is the one-hot row on the largest logit, ties to the lowest id. -inf marks a token that must not
    occur. The cast up comes first, so logits in half precision lose nothing here.
    Errors: `ValueError` for a T that is negative or not finite.
    **Law:** exact. Source: exp(z/T)/sum exp(z/T), with max z subtracted before the division.
    """
    dists.softmax([0.0], temperature)  # the definition refuses a bad T, in its own words
    rows = _rows(logits, "logits")
    if temperature == 0:
        return _greedy(rows)
    if temperature == 1:
        return rows.softmax(dim=-1)
    gap = rows - rows.amax(dim=-1, keepdim=True)
    # A gap of 0 is not divided: a GPU multiplies by 1/T, and a tiny T would make that 0 * inf.
    return torch.where(gap == 0, gap, gap / temperature).softmax(dim=-1)


def temperature(p: Tensor, T: float) -> Tensor:
    """The row proportional to p^(1/T), shape (..., V); T = 0 is greedy, T = 1 the identity.

    From logits prefer `softmax(logits, T)`: a probability that has underflowed to 0 stays 0 here.
    Errors: `ValueError` for T < 0, NaN or infinite.
    **Law:** exact.
    """
    dists.temperature([1.0], T)
    rows = _rows(p, "p")
    if T == 0:
        return _greedy(rows)
    return rows.clone() if T == 1 else softmax(rows.log(), T)


def top_k(p: Tensor, k: int) -> Tensor:
    """Keep the k likeliest tokens and renormalise. Shape (..., V); k >= V is the identity.

    Exactly k are kept: ties go to the lowest id. The k-th largest value is found without sorting the row;
    of the tokens equal to it, as many as are wanted stay, counted from the lowest id.
    Errors: `ValueError` for k < 1 or not an integer.
    **Law:** exact. Source: Fan et al. 2018 (arXiv 1805.04833).
    """
    dists.top_k([1.0], k)
    rows = _rows(p, "p")
    if k >= rows.shape[-1]:
        return rows.clone()
    least = rows.topk(int(k), dim=-1).values[..., -1:]
    above, tied = rows > least, rows == least
    wanted = k - above.sum(dim=-1, keepdim=True)
    return _kept(rows, above | (tied & (tied.cumsum(dim=-1) <= wanted)))


def top_p(p: Tensor, mass: float) -> Tensor:
    """Keep the shortest prefix of the sorted row whose mass reaches `mass`, and renormalise.

    Shape (..., V). A token stays while the mass *before* it is below `mass`; mass >= 1 is the identity and
    mass = 0 keeps one token. Ties go to the lowest id.
    Errors: `ValueError` for a negative or NaN `mass`.
    **Law:** exact. Source: Holtzman et al. 2020 (arXiv 1904.09751), section 3.1.
    """
    dists.top_p([1.0], mass)
    rows = _rows(p, "p")
    if mass >= 1:
        return rows.clone()
    return _keep_mass(rows, rows.argsort(dim=-1, descending=True, stable=True), mass)


def min_p(p: Tensor, ratio: float) -> Tensor:
    """Keep the tokens with probability at least `ratio` times the largest, and renormalise.

    Shape (..., V); `ratio` in [0, 1]. The likeliest token always stays.
    Errors: `ValueError` for a ratio outside [0, 1].
    **Law:** exact. Source: Nguyen et al. 2024 (arXiv 2407.01082).
    """
    dists.min_p([1.0], ratio)
    rows = _rows(p, "p")
    return _kept(rows, rows >= ratio * rows.amax(dim=-1, keepdim=True))


def locally_typical(p: Tensor, mass: float) -> Tensor:
    """Keep the tokens whose surprisal is nearest the row's entropy, until their mass reaches `mass`.

    Shape (..., V). mass >= 1 is the identity, mass = 0 keeps one token; a token of probability zero is
    never kept. Ties go to the lowest id.
    Errors: `ValueError` for a negative or NaN `mass`.
    **Law:** exact. Source: Meister et al. 2023 (arXiv 2202.00666).
    """
    dists.locally_typical([1.0], mass)
    rows = _rows(p, "p")
    if mass >= 1:
        return rows.clone()
    distance = (-rows.log() - _entropy(rows)).abs()
    return _keep_mass(rows, distance.argsort(dim=-1, stable=True), mass)


def eta(p: Tensor, epsilon: float) -> Tensor:
    """Keep the tokens with probability above min(epsilon, sqrt(epsilon) * exp(-entropy)).

    Shape (..., V); `epsilon` in [0, 1]. The likeliest token always stays.
    Errors: `ValueError` for an epsilon outside [0, 1].
    **Law:** exact. Source: Hewitt et al. 2022 (arXiv 2210.15191).
    """
    dists.eta([1.0], epsilon)
    rows = _rows(p, "p")
    bound = (epsilon**0.5 * (-_entropy(rows)).exp()).clamp(max=epsilon)
    return _kept(rows, (rows > bound) | (rows == rows.amax(dim=-1, keepdim=True)))


# --- draws -------------------------------------------------------------------------------------------


def draw(p: Tensor, u: Tensor) -> Tensor:
    """Draw a token from each row by its running sums: the first whose sum is greater than `u`.

    Shapes: `p` (..., V), need not sum to 1 exactly; `u` (...), uniforms on [0, 1); tokens (...), int64.
    A token of probability zero is passed over for every u, also where a GPU adds in another order and the
    sums are not quite sorted; u = 1, which rounding can make, counts as the largest number below 1. Give
    float64 uniforms: those in float32 are multiples of 2^-24, too coarse for rare tokens.
    Errors: `ValueError` if the shapes do not fit.
    **Law:** exact (token i with probability p[i] when u is uniform). Source: `rng.pick`, for many rows.
    """
    rows = _rows(p, "p")
    if u.shape != rows.shape[:-1]:
        raise ValueError(
            f"u must have shape {tuple(rows.shape[:-1])}, one for each row, got {tuple(u.shape)}"
        )
    u = u.to(rows.dtype).clamp(max=1 - torch.finfo(rows.dtype).eps / 2)
    possible = rows > 0
    below = rows.cumsum(dim=-1)
    total = torch.where(possible, below, 0.0).amax(dim=-1, keepdim=True)  # so that a possible token reaches 1
    return (possible & ~(below / total <= u[..., None])).to(torch.uint8).argmax(dim=-1)


def gumbel_max(logits: Tensor, u: Tensor) -> Tensor:
    """Draw a token from softmax(logits) as the argmax of logits - log(-log(u)).

    Shapes: `logits` and `u` (..., V), `u` uniforms on [0, 1); tokens (...), int64. For a temperature T > 0
    pass logits / T. `u` is clipped to [tiny, 1 - eps] of its type, so noise is finite and a token masked
    with -inf is never drawn. Give float64 uniforms: in float32 the noise ends at 16, and rare tokens lack it.
    Errors: `ValueError` if the shapes differ.
    **Law:** exact (token i with probability softmax(logits)[i] when u is uniform).
    Source: Maddison et al. 2014 (arXiv 1411.0030), section 2.
    """
    rows = _rows(logits, "logits")
    if u.shape != rows.shape:
        raise ValueError(f"u must have the shape of logits, {tuple(rows.shape)}, got {tuple(u.shape)}")
    limits = max(torch.finfo(u.dtype), torch.finfo(rows.dtype), key=lambda coarser: coarser.eps)
    u = u.clamp(limits.tiny, 1 - limits.eps).to(rows.dtype)
    return (rows - (-u.log()).log()).argmax(dim=-1)


# --- what they share ---------------------------------------------------------------------------------


def _rows(values: Tensor, name: str) -> Tensor:
    """`values` without its gradient, cast up once."""
    if values.ndim == 0 or values.shape[-1] == 0:
        raise ValueError(f"{name} must have rows of at least one entry, got shape {tuple(values.shape)}")
    return values.detach().to(working_dtype(values.device))


def _greedy(rows: Tensor) -> Tensor:
    ids = torch.arange(rows.shape[-1], device=rows.device)
    return (ids == rows.argmax(dim=-1, keepdim=True)).to(rows.dtype)  # argmax takes the first of equals


def _entropy(rows: Tensor) -> Tensor:
    """Entropy of each row in nats, shape (..., 1)."""
    return -(rows * torch.where(rows > 0, rows, 1.0).log()).sum(dim=-1, keepdim=True)


def _keep_mass(rows: Tensor, order: Tensor, mass: float) -> Tensor:
    """Keep, along `order`, each token before which less than `mass` has passed (always the first)."""
    ranked = rows.gather(-1, order)
    before = ranked.cumsum(dim=-1)[..., :-1]
    count = 1 + ((before < mass) & (ranked[..., 1:] > 0)).sum(dim=-1, keepdim=True)
    first = torch.arange(rows.shape[-1], device=rows.device) < count
    return _kept(rows, torch.zeros_like(first).scatter(-1, order, first))


def _kept(rows: Tensor, keep: Tensor) -> Tensor:
    """The tokens marked in `keep`, renormalised."""
    rows = torch.where(keep, rows, 0.0)
    return rows / rows.sum(dim=-1, keepdim=True)
