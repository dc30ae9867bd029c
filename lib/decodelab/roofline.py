"""What a decoding step costs: bytes and operations, against a device's bandwidth and arithmetic.

Pure formulas. Units stand in the names: bytes_, flops_, seconds_; prefixes are decimal (1 GB = 1e9 bytes). A
multiply and an add are two FLOP. Figures of devices and models are in `decodelab.hardware`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = [
    "BYTES",
    "Device",
    "ModelShape",
    "balance",
    "balance_batch",
    "bytes_kv_token",
    "bytes_step",
    "bytes_weights",
    "distinct_experts",
    "flops_step",
    "intensity",
    "seconds_step",
    "verification_cost",
]

BYTES = {"float32": 4.0, "bfloat16": 2.0, "float16": 2.0, "float8": 1.0, "int8": 1.0, "int4": 0.5}


@dataclass(frozen=True)
class Device:
    """A device: memory bandwidth in bytes a second, *dense* peak FLOP a second by dtype, memory in bytes."""

    name: str
    bytes_per_second: float
    flops_per_second: dict[str, float] = field(hash=False)
    bytes_memory: float
    source: str


@dataclass(frozen=True)
class ModelShape:
    """A transformer: sizes, and how many of its parameters a token uses.

    `parameters` counts all, `active` those that one token's forward multiplies with (all but the input
    embedding of a dense model, and fewer in a mixture of experts). Experts: `experts` in a layer, `chosen`
    for a token, holding `expert_parameters` in all. `latent`: values cached for a token and layer by a model
    that keeps a compressed vector in place of keys and values.
    """

    name: str
    layers: int
    width: int
    heads: int
    kv_heads: int
    head_dim: int
    parameters: float
    active: float
    source: str
    experts: int = 1
    chosen: int = 1
    expert_parameters: float = 0.0
    latent: int = 0


def bytes_weights(model: ModelShape, dtype: str, *, tokens: float | None = None) -> float:
    """Bytes of weights: all of them, or those that a step over `tokens` tokens reads.

    A step over few tokens reads only the experts that they choose (uniformly, for the formula).
    Errors: `ValueError` for an unknown dtype.
    """
    shared = model.parameters - model.expert_parameters
    if tokens is None:
        return (shared + model.expert_parameters) * _bytes(dtype)
    read = distinct_experts(model.experts, model.chosen, tokens) / model.experts
    return (shared + model.expert_parameters * read) * _bytes(dtype)


def distinct_experts(experts: int, chosen: int, tokens: float) -> float:
    """Expected number of different experts among `tokens` tokens that each choose `chosen`, uniformly."""
    if not 1 <= chosen <= experts or tokens < 0:
        raise ValueError(
            f"chosen must lie in [1, {experts}] and tokens be at least 0, got {chosen}, {tokens}"
        )
    return experts * (1 - (1 - chosen / experts) ** tokens)


def bytes_kv_token(model: ModelShape, dtype: str = "bfloat16") -> float:
    """Bytes that the cache grows by with each token: keys and values of every layer's *key-value* heads."""
    values = model.latent or 2 * model.kv_heads * model.head_dim
    return model.layers * values * _bytes(dtype)


def flops_step(model: ModelShape, *, batch: int = 1, new: int = 1, context: float = 0) -> float:
    """FLOP of a forward over `new` tokens of each of `batch` texts that hold `context` tokens.

    Two a weight and token, and four a head coordinate and token looked at (scores and mixing). With a
    `context` of 0 attention is left out altogether: the cost of the weights alone.
    """
    tokens = batch * new
    attention = 4 * model.layers * model.heads * model.head_dim * (context + new / 2) * tokens
    return 2 * model.active * tokens + (attention if context else 0.0)


def bytes_step(
    model: ModelShape,
    dtype: str,
    *,
    batch: int = 1,
    new: int = 1,
    context: float = 0,
    kv_dtype: str = "bfloat16",
) -> float:
    """Bytes that the same forward reads: weights once, and every text's cache."""
    return bytes_weights(model, dtype, tokens=batch * new) + batch * context * bytes_kv_token(model, kv_dtype)


def balance(device: Device, dtype: str) -> float:
    """FLOP a byte at which arithmetic takes as long as memory: the ridge of the roofline.

    Errors: `ValueError` for a dtype in which the device has no peak.
    """
    if dtype not in device.flops_per_second:
        raise ValueError(
            f"{device.name} has no peak for dtype {dtype!r}; it has {', '.join(device.flops_per_second)}"
        )
    return device.flops_per_second[dtype] / device.bytes_per_second


def balance_batch(device: Device, weights: str, *, arithmetic: str = "bfloat16") -> float:
    """Tokens a step at which reading the weights alone stops being the bound: ridge * bytes a weight / 2."""
    return balance(device, arithmetic) * _bytes(weights) / 2


def intensity(model: ModelShape, dtype: str, *, batch: int = 1, new: int = 1, context: float = 0) -> float:
    """FLOP a byte of a step: with two bytes a weight and no cache, about the number of tokens in the step."""
    sizes = {"batch": batch, "new": new, "context": context}
    return flops_step(model, **sizes) / bytes_step(model, dtype, **sizes)


def seconds_step(
    device: Device,
    model: ModelShape,
    dtype: str = "bfloat16",
    *,
    arithmetic: str = "bfloat16",
    batch: int = 1,
    new: int = 1,
    context: float = 0,
) -> float:
    """Lower bound of a step's time: reading its bytes or its arithmetic at the dense peak, the longer."""
    sizes = {"batch": batch, "new": new, "context": context}
    reading = bytes_step(model, dtype, **sizes) / device.bytes_per_second
    balance(device, arithmetic)  # refuses a dtype without a peak
    return max(reading, flops_step(model, **sizes) / device.flops_per_second[arithmetic])


def verification_cost(
    device: Device,
    model: ModelShape,
    gamma: int,
    *,
    dtype: str = "bfloat16",
    batch: int = 1,
    context: float = 0,
) -> float:
    """v(gamma): the time of a step that verifies gamma drafted tokens, in plain steps of the same batch."""
    sizes = {"batch": batch, "context": context}
    return seconds_step(device, model, dtype, new=gamma + 1, **sizes) / seconds_step(
        device, model, dtype, **sizes
    )


def _bytes(dtype: str) -> float:
    if dtype not in BYTES:
        raise ValueError(f"dtype must be one of {', '.join(BYTES)}, got {dtype!r}")
    return BYTES[dtype]
