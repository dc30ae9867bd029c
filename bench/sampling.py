"""Time `decodelab.batched` beside torch.multinomial and the Hugging Face warpers: python bench/sampling.py

Each pair starts from the same float32 logits and ends with the same kind of thing, a row of probabilities
or a token; the two take turns, and the ratio is ours / theirs within a turn (above 1: ours is slower). Kept
sets are compared too. Writes lib/decodelab/ledger/recorded/sampling.json. Takes under a minute on two cores.
"""

import json
import os
import platform
import statistics
import time
from datetime import date
from functools import partial
from importlib.metadata import version
from pathlib import Path

import torch
from decodelab import batched
from transformers.generation import logits_process as hf

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "lib" / "decodelab" / "ledger" / "recorded" / "sampling.json"
VOCAB_SIZES, BATCHES, REPEATS = (32_000, 128_256), (1, 16), 21
T = 0.7
MAPS = {  # ours, theirs, one argument
    "top_k": (batched.top_k, hf.TopKLogitsWarper, 50),
    "top_p": (batched.top_p, hf.TopPLogitsWarper, 0.9),
    "min_p": (batched.min_p, hf.MinPLogitsWarper, 0.05),
    "locally_typical": (batched.locally_typical, hf.TypicalLogitsWarper, 0.9),
    "eta": (batched.eta, hf.EtaLogitsWarper, 0.002),
}


def found_device() -> torch.device:
    """A GPU if there is one, else the processor."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


def in_words(device: torch.device) -> str:
    """The device as the machine itself names it."""
    if device.type == "cuda":
        return f"{torch.cuda.get_device_name()}, CUDA {torch.version.cuda}, {platform.system()}"
    name = platform.processor() or platform.machine()
    words = f"{name}, {os.cpu_count()} cores, {torch.get_num_threads()} thread used, {platform.system()}"
    return f"GPU (MPS) of {words}" if device.type == "mps" else words


def warper(name: str, level: float, device: torch.device):
    """The Hugging Face warper of a map; eta's keeps a number on the device."""
    theirs = MAPS[name][1]
    return theirs(level, device=str(device)) if name == "eta" else theirs(level)


def pairs(logits: torch.Tensor) -> dict:
    """From each name to (ours, theirs): two calls that do the same work on `logits`."""
    p, p32 = batched.softmax(logits), logits.softmax(-1)
    softened = partial(hf.TemperatureLogitsWarper(T), None)
    calls = {"temperature": (lambda: batched.softmax(logits, T), lambda: softened(logits).softmax(-1))}
    for name, (ours, _, level) in MAPS.items():
        theirs = warper(name, level, logits.device)
        calls[name] = (
            lambda ours=ours, level=level: ours(batched.softmax(logits), level),
            lambda theirs=theirs: theirs(None, logits).softmax(-1),
        )
    multinomial = partial(torch.multinomial, p32, 1)  # it draws its own noise: ours is drawn in the call too
    calls["draw"] = (lambda: batched.draw(p, torch.rand_like(p[:, 0])), multinomial)
    calls["gumbel_max"] = (lambda: batched.gumbel_max(logits, torch.rand_like(p)), multinomial)
    return calls


def seconds_of(call, device: torch.device) -> float:
    """Wall-clock seconds of one call, the device's queue emptied before and after."""
    wait = {"cuda": torch.cuda.synchronize, "mps": torch.mps.synchronize}.get(device.type, lambda: None)
    wait()
    started = time.perf_counter()
    call()
    wait()
    return time.perf_counter() - started


def spread(values: list[float]) -> dict:
    """Median and quartiles, to four digits."""
    low, middle, high = statistics.quantiles(values, n=4)
    return {k: float(f"{v:.4g}") for k, v in (("median", middle), ("quartile_1", low), ("quartile_3", high))}


def measure(vocab_size: int, batch: int, device: torch.device) -> list[dict]:
    """Time every pair at one size: a warm-up, then turns in which the order alternates."""
    logits = 3 * torch.randn(batch, vocab_size, generator=torch.Generator().manual_seed(1)).to(device)
    calls = pairs(logits)
    seconds = {name: ([], []) for name in calls}
    for turn in range(REPEATS + 1):
        for name, both in calls.items():
            for side in (0, 1) if turn % 2 else (1, 0):
                taken = seconds_of(both[side], device)
                if turn:
                    seconds[name][side].append(taken)
    return [
        {
            "name": name,
            "beside": "torch.multinomial" if name in ("draw", "gumbel_max") else "transformers",
            "vocab_size": vocab_size,
            "batch": batch,
            "seconds_ours": spread(ours),
            "seconds_theirs": spread(theirs),
            "ratio": spread([a / b for a, b in zip(ours, theirs, strict=True)]),
        }
        for name, (ours, theirs) in seconds.items()
    ]


def kept_sets(device: torch.device) -> list[dict]:
    """Count where the kept sets differ: rows with hardly a tie, with many, and with the mass met exactly."""
    generator = torch.Generator().manual_seed(0)
    plain = 3 * torch.randn(64, 32_000, generator=generator)
    usual = {name: level for name, (_, _, level) in MAPS.items()}
    inputs = {
        "float32": (plain, usual),
        "bfloat16, cast to float32 for both: ties": (plain.to(torch.bfloat16).float(), usual),
    }
    for n in (16, 1024):  # half of n equal tokens: which half is up to the rule for ties
        levels = {"top_k": n // 2, "top_p": 0.5, "min_p": 1.0, "locally_typical": 0.5}
        inputs[f"{n} equal ones: the mass is met exactly"] = (torch.zeros(64, n), levels)
    return [
        differences(name, level, words, logits.to(device))
        for words, (logits, levels) in inputs.items()
        for name, level in levels.items()
    ]


def differences(name: str, level: float, words: str, logits: torch.Tensor) -> dict:
    """One map on one kind of rows: how many rows differ, tokens kept, and tokens kept by one side only."""
    ours = MAPS[name][0]
    kept = ours(batched.softmax(logits), level) > 0
    kept_theirs = warper(name, level, logits.device)(None, logits) > -torch.inf
    return {
        "name": name,
        "level": level,
        "logits": words,
        "rows": len(logits),
        "rows_that_differ": int((kept != kept_theirs).any(-1).sum()),
        "kept_ours": int(kept.sum()),
        "kept_theirs": int(kept_theirs.sum()),
        "only_ours": int((kept & ~kept_theirs).sum()),
        "only_theirs": int((kept_theirs & ~kept).sum()),
    }


def main() -> None:
    """Measure all sizes and write the record."""
    torch.set_num_threads(1)  # on a shared processor, threads that wait for each other would be what is timed
    device = found_device()
    timings = [row for v in VOCAB_SIZES for batch in BATCHES for row in measure(v, batch, device)]
    record = {
        "device": in_words(device),
        "date": date.today().isoformat(),
        "command": "python bench/sampling.py",
        "versions": {name: version(name) for name in ("torch", "transformers")}
        | {"python": platform.python_version()},
        "repeats": REPEATS,
        "types": {"ours": str(batched.working_dtype(device)), "theirs": "torch.float32"},
        "timings": timings,
        "kept_sets": kept_sets(device),
    }
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8", newline="\n")
    for row in timings:
        print(f"{row['name']:16} V={row['vocab_size']:<7} batch={row['batch']:<3} {row['ratio']}")


if __name__ == "__main__":
    main()
