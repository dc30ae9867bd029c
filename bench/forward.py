"""Measure this device: bandwidth, float32 peak, a forward over n new tokens, and speculative speed-ups.

Usage: python bench/forward.py [--plot FILE]
Writes lib/decodelab/ledger/recorded/forward-DEVICE.json (device in words, date, command, versions, medians,
spread), which the ledger reads for the CPU. One torch thread on a CPU, so that a shared machine repeats it.
"""

import argparse
import json
import platform
import statistics
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path

import torch
from decodelab import citygpt, drafters, measure, rules
from decodelab.gpt import GPT, Shape, as_lm
from decodelab.rng import NumpyRng
from decodelab.sampling import ancestral
from decodelab.speculative import decode, speculate

FOLDER = Path(__file__).resolve().parents[1] / "lib/decodelab/ledger/recorded"
SHAPE = Shape(vocab_size=8192, width=768, layers=13, heads=12, kv_heads=12)
COUNTS = (1, 2, 4, 8, 16, 32, 64)
SENTENCES = 40


def curve(device: str, dtype: torch.dtype) -> dict:
    """Milliseconds of a forward over n tokens: three passes, their medians and their spread."""
    passes = [
        measure.forward_times(COUNTS, device=device, dtype=dtype, shape=SHAPE, repeats=5) for _ in range(3)
    ]
    milliseconds = {n: [1e3 * times[n] for times in passes] for n in COUNTS}
    return {
        "median_ms": {n: round(statistics.median(values), 3) for n, values in milliseconds.items()},
        "spread_ms": {n: round(max(values) - min(values), 3) for n, values in milliseconds.items()},
    }


def seconds_a_token(round) -> float:
    """Seconds a token of a decoder over some sentences of the city language."""
    rng, tokens, started = NumpyRng(0), 0, time.perf_counter()
    for _ in range(SENTENCES):
        tokens += sum(len(step.tokens) for step in decode(round, max_tokens=20, rng=rng))
    return (time.perf_counter() - started) / tokens


def speculation() -> dict:
    """Wall-clock speed-up of the city transformers' drafts over plain decoding, honest if it is a loss."""
    target = as_lm(citygpt.load("target"))
    plain = min(seconds_a_token(ancestral(target)) for _ in range(3))
    speeds = {}
    for name in ("draft16", "draft8"):
        drafter = drafters.chain(as_lm(citygpt.load(name)), 4, start=0, end=0)
        round = speculate(as_lm(citygpt.load("target")), drafter, rules.rejection, end=0)
        speeds[name] = round_to(plain / min(seconds_a_token(round) for _ in range(3)))
    return {"gamma": 4, "plain_ms_a_token": round_to(1e3 * plain), "speed_up": speeds}


def round_to(value: float) -> float:
    return float(f"{value:.4g}")


def plot(record: dict, path: str) -> None:
    """The curve of the record as a picture."""
    from decodelab import plots

    times = record["forward"]["median_ms"]
    plots.curves(
        list(times), {record["device"]: list(times.values())}, xlabel="new tokens", ylabel="ms", log="xy"
    )
    plots.plt.savefig(path)


def main() -> None:
    """Measure everything and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plot", help="also draw the curve into this file")
    options = parser.parse_args()
    torch.set_num_threads(1)
    device = measure.best_device()
    found = measure.measure_device(device)
    record = {
        "device": measure.device_name(device),
        "date": date.today().isoformat(),
        "command": "python bench/forward.py",
        "versions": {name: version(name) for name in ("torch", "numpy")}
        | {"python": platform.python_version()},
        "gigabytes_per_second": round_to(found.bytes_per_second / 1e9),
        "teraflops_float32": round_to(found.flops_per_second["float32"] / 1e12),
        "parameters": sum(weight.numel() for weight in GPT(SHAPE).parameters()),
        "held": 64,
        "dtype": "float32",
        "forward": curve(device, torch.float32),
        "speculation": speculation(),
    }
    FOLDER.joinpath(f"forward-{device}.json").write_text(
        json.dumps(record, indent=1) + "\n", encoding="utf-8", newline="\n"
    )
    print(json.dumps(record, indent=1))
    if options.plot:
        plot(record, options.plot)


if __name__ == "__main__":
    main()
