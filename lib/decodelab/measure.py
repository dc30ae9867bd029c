"""Measure the device at hand: bandwidth, arithmetic, and the time of a forward over n new tokens."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

import torch

from decodelab.gpt import GPT, Shape
from decodelab.kvcache import KVCache
from decodelab.roofline import Device

__all__ = ["best_device", "device_name", "forward_times", "measure_device", "median_seconds"]


def best_device() -> str:
    """ "cuda", "mps" or "cpu": the first that is there."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def device_name(device: str) -> str:
    """The device in words, as the machine itself says it."""
    kind = torch.device(device).type
    if kind == "cuda":
        return torch.cuda.get_device_name(device)
    if kind == "mps":
        return "Apple GPU"
    threads = torch.get_num_threads()
    return f"{_processor()}, {threads} thread{'s' * (threads != 1)}"


def _processor() -> str:
    import platform
    from pathlib import Path

    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def median_seconds(work: Callable[[], object], device: str, *, repeats: int = 7) -> float:
    """The median wall-clock time of `work()`, in seconds, after one run that does not count.

    Errors: `ValueError` for `repeats` below 1.
    """
    if repeats < 1:
        raise ValueError(f"repeats must be at least 1, got {repeats}")
    times = []
    for number in range(repeats + 1):
        _wait(device)
        started = time.perf_counter()
        work()
        _wait(device)
        if number:
            times.append(time.perf_counter() - started)
    return statistics.median(times)


def _wait(device: str) -> None:
    kind = torch.device(device).type
    if kind == "cuda":
        torch.cuda.synchronize(device)
    elif kind == "mps":
        torch.mps.synchronize()


@torch.no_grad()
def measure_device(device: str | None = None, *, bytes_read: float = 256e6, side: int = 1024) -> Device:
    """This machine as a `Device`: bandwidth from summing bytes, float32 peak from a matrix product.

    Takes a second or two. What comes out is *achieved*: expect .6 to .9 of an advertised peak.
    """
    device = device or best_device()
    block = torch.ones(int(bytes_read / 4), device=device)
    seconds_read = median_seconds(block.sum, device, repeats=5)
    a, b = torch.ones(side, side, device=device), torch.ones(side, side, device=device)
    seconds_product = median_seconds(lambda: a @ b, device, repeats=5)
    peak = {"float32": 2 * side**3 / seconds_product}
    return Device(device_name(device), bytes_read / seconds_read, peak, float("nan"), "measured here")


@torch.no_grad()
def forward_times(
    counts: Sequence[int], *, device: str, dtype: torch.dtype, shape: Shape, held: int = 64, repeats: int = 5
) -> dict[int, float]:
    """Seconds of one forward over n new tokens after `held` cached ones, for each n of `counts`.

    The network has random weights: its time does not depend on them.
    """
    model = GPT(shape).to(device=device, dtype=dtype).eval()
    cache = KVCache(shape, held + max(counts), dtype=dtype, device=device)
    model(torch.zeros(1, held, dtype=torch.long, device=device), cache=cache)

    def forward(n: int):
        model(torch.zeros(1, n, dtype=torch.long, device=device), cache=cache)
        cache.truncate(held)

    return {n: median_seconds(lambda n=n: forward(n), device, repeats=repeats) for n in counts}
