"""The figure `roofline`: where a decoding step stands between a device's bandwidth and its arithmetic."""

from __future__ import annotations

import math
from dataclasses import asdict

from decodelab import roofline as formulas
from decodelab.explorers import picture
from decodelab.explorers.base import SOURCES, Explorer, palette
from decodelab.hardware import DEVICES, MODELS
from decodelab.roofline import BYTES, Device, ModelShape

__all__ = ["arithmetic", "roofline"]

SOURCES["roofline"] = ("figure.css", "roofline.css", "roofline_step.js", "element.js", "roofline.js")
MOST_TEXTS, MOST_CONTEXT, MOST_DRAFTED = 1024, 131_072, 16


def roofline(
    device: str = "A100",
    model: str = "Llama-2-13B",
    *,
    dtype: str = "bfloat16",
    batch: int = 1,
    context: int = 0,
    draft: int = 0,
    devices: dict[str, Device] | None = None,
) -> Explorer:
    """Return the figure "The roofline of a decoding step", set to these values; the reader changes them all.

    `device` and `model` are names of `hardware`, `dtype` that of the weights; `batch` in [1, 1024] texts with
    `context` in [0, 131072] tokens each stand side by side, and the step verifies `draft` in [0, 16] tokens
    of each. `devices` adds to those of `hardware`, say the reader's own from a measurement.
    Errors: `ValueError` naming the argument.
    **Law:** no randomness; lower bounds of time, as `decodelab.roofline` computes them.
    """
    devices = DEVICES | (devices or {})
    for name, value, known in (
        ("device", device, devices),
        ("model", model, MODELS),
        ("dtype", dtype, BYTES),
    ):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
    for name, value, low, high in (
        ("batch", batch, 1, MOST_TEXTS),
        ("context", context, 0, MOST_CONTEXT),
        ("draft", draft, 0, MOST_DRAFTED),
    ):
        if value not in range(low, high + 1):
            raise ValueError(f"{name} must be an integer from {low} to {high}, got {value!r}")
    params = {"device": device, "model": model, "dtype": dtype}
    params |= {"batch": int(batch), "context": int(context), "draft": int(draft)}
    shown = (devices[device], MODELS[model], dtype, int(batch), int(context), int(draft))
    data = {
        "devices": {name: _device(each) for name, each in devices.items()},
        "models": {name: _model(each) for name, each in MODELS.items()},
        "batches": sorted({*_scale(1, MOST_TEXTS), int(batch)}),
        "contexts": sorted({0, *_scale(128, MOST_CONTEXT), int(context)}),
        "drafts": list(range(MOST_DRAFTED + 1)),
    }
    return Explorer("roofline", params, _picture(*shown), _alt(*shown), _table(*shown), data)


def arithmetic(device: Device, dtype: str) -> str:
    """The dtype in which a device multiplies weights of `dtype`: float32 for those, else 16 bits.

    A device without a peak in 16 bits (a measured one) computes in float32.
    """
    kinds = ("float32",) if dtype == "float32" else ("bfloat16", "float16", "float32")
    return next(kind for kind in kinds if kind in device.flops_per_second)


def _scale(low: int, high: int) -> list[int]:
    """Powers of two from `low` to `high`, and what lies halfway."""
    powers = [low << i for i in range((high // low).bit_length())]
    return sorted({*powers, *(3 * p // 2 for p in powers[:-1])})


def _device(device: Device) -> dict:
    known = math.isfinite(device.bytes_memory)  # a measured device does not say
    memory = device.bytes_memory if known else None
    figures = {"bandwidth": device.bytes_per_second, "memory": memory}
    return figures | {"peaks": device.flops_per_second}


def _model(model: ModelShape) -> dict:
    return {name: value for name, value in asdict(model).items() if name not in ("name", "source", "width")}


# --- the fallback -------------------------------------------------------------------------------------


def _four(x: float) -> str:
    """Four significant digits, as the live figure prints them."""
    return f"{float(f'{x:.4g}'):,.10g}"


def _costs(device, model, dtype, batch, context, draft) -> dict[str, float]:
    sizes = {"batch": batch, "new": draft + 1, "context": context}
    cache = batch * context * formulas.bytes_kv_token(model)
    return {
        "flops": formulas.flops_step(model, **sizes),
        "weights": formulas.bytes_weights(model, dtype, tokens=batch * (draft + 1)),
        "cache": cache,
        "intensity": formulas.intensity(model, dtype, **sizes),
        "seconds": formulas.seconds_step(device, model, dtype, arithmetic=arithmetic(device, dtype), **sizes),
        "memory": formulas.bytes_weights(model, dtype) + cache,
    }


def _bound(device, dtype, costs) -> str:
    above = costs["intensity"] > formulas.balance(device, arithmetic(device, dtype))
    return "arithmetic" if above else "memory"


def _alt(device, model, dtype, batch, context, draft) -> str:
    costs = _costs(device, model, dtype, batch, context, draft)
    ridge = formulas.balance(device, arithmetic(device, dtype))
    return (
        f"The roofline of {device.name}, FLOP per second against FLOP per byte on logarithmic axes: rising "
        f"with {_four(device.bytes_per_second / 1e12)} TB/s up to the ridge at {_four(ridge)} FLOP per byte, "
        f"then flat. A step of {model.name} in {dtype}, batch {batch}, context {context}, γ = {draft}: "
        f"{_four(costs['intensity'])} FLOP per byte, {_four(costs['seconds'] * 1e3)} ms, bound by "
        f"{_bound(device, dtype, costs)}."
    )


def _table(device, model, dtype, batch, context, draft) -> tuple[tuple[str, ...], ...]:
    plain, step = (_costs(device, model, dtype, batch, context, n) for n in (0, draft))
    columns = (plain, step) if draft else (plain,)

    def line(name, value):
        return (name, *(value(costs) for costs in columns))

    head = (f"{model.name} on {device.name}", "γ = 0", f"γ = {draft}")[: 1 + len(columns)]
    return (
        head,
        line("work, GFLOP", lambda c: _four(c["flops"] / 1e9)),
        line("weights read, GB", lambda c: _four(c["weights"] / 1e9)),
        line("cache read, GB", lambda c: _four(c["cache"] / 1e9)),
        line("FLOP per byte", lambda c: _four(c["intensity"])),
        line("bound by", lambda c: _bound(device, dtype, c)),
        line("time of a step, ms", lambda c: _four(c["seconds"] * 1e3)),
        line("plain steps it costs", lambda c: _four(c["seconds"] / plain["seconds"])),
        line("steps x batch per second", lambda c: _four(batch / c["seconds"])),
        line("memory needed, GB", lambda c: _four(c["memory"] / 1e9)),
        line("memory of the device, GB", lambda c: _present(device)),
    )


def _present(device) -> str:
    return _four(device.bytes_memory / 1e9) if math.isfinite(device.bytes_memory) else "unknown"


def _picture(*shown) -> bytes:
    return picture.png(lambda axes: _draw(axes, *shown), size=(6, 3.2))


def _draw(axes, device, model, dtype, batch, context, draft) -> None:
    colours = palette()
    costs = _costs(device, model, dtype, batch, context, draft)
    kind = arithmetic(device, dtype)
    ridge, peak = formulas.balance(device, kind), device.flops_per_second[kind]
    across = (0.1, ridge, 1e5)
    axes.loglog(
        across, [min(x * device.bytes_per_second, peak) for x in across], color=colours["law"], lw=2.5
    )
    axes.axvline(ridge, ls=":", color=colours["muted"], lw=1)
    axes.text(ridge * 1.1, 1.4e9, f"ridge {_four(ridge)}", color=colours["muted"])
    said = f"{model.name}, {dtype}: {_four(costs['seconds'] * 1e3)} ms a step"
    axes.plot(
        costs["intensity"], costs["flops"] / costs["seconds"], "o", ms=9, color=colours["target"], label=said
    )
    axes.set(xlabel="FLOP per byte", ylabel="FLOP/s", xlim=(0.1, 1e5), ylim=(1e9, 2e15), title=device.name)
    axes.legend(frameon=False, loc="upper left", fontsize=8)
