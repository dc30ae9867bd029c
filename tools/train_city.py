"""Train the transformers of the city language and write them into the package.

Usage: python tools/train_city.py [--only NAME ...] [--out FOLDER]
About three minutes on one core. One thread, so that the same machine gives the same bits again.
"""

import argparse
import copy
import sys
from pathlib import Path

import numpy as np
import torch
from decodelab import city, citygpt
from decodelab.gpt import GPT, Shape, seeded
from decodelab.models import tabulate
from decodelab.rng import NumpyRng
from decodelab.training import fit, soft_batches, word_batches

OUT = Path(__file__).resolve().parents[1] / "lib/decodelab/weights/city"
VOCABULARY = len(city.vocabulary())
TARGET = Shape(VOCABULARY, width=64, layers=2, heads=4, kv_heads=2)
DRAFT16 = Shape(VOCABULARY, width=16, layers=2, heads=2, kv_heads=1)
DRAFT8 = Shape(VOCABULARY, width=8, layers=2, heads=2, kv_heads=1)
BATCH = 64
SENTENCES = [sentence.tokens for sentence in city.sentences()]
PROBS = np.array([float(sentence.prob) for sentence in city.sentences()])


def bar(name: str, steps: int):
    """A progress report on one line."""

    def show(step: int, loss: float) -> None:
        if step % 20 == 0 or step == steps:
            done = 30 * step // steps
            print(f"\r{name:14} [{'#' * done:30}] {step:5}/{steps} loss {loss:.4f}", end="", file=sys.stderr)

    return show


def train_target() -> dict[str, GPT]:
    """The target, on the language's own rows."""
    rows = tabulate(city.oracle(), city.prefixes())
    batches = soft_batches(SENTENCES, PROBS, rows, start=city.END, size=BATCH, rng=NumpyRng(0))
    return {"target": fit(seeded(TARGET, 0), batches, steps=1200, rate=1e-2, progress=bar("target", 1200))}


def train_draft(shape: Shape, name: str, steps: int, rate: float, stops: dict[int, str]) -> dict[str, GPT]:
    """A draft on sampled sentences, and copies of it as it was after so many steps."""
    model, copies = seeded(shape, 0), {}
    show = bar(name, steps)

    def progress(step: int, loss: float) -> None:
        show(step, loss)
        if step in stops:
            copies[stops[step]] = copy.deepcopy(model)

    batches = word_batches(SENTENCES, PROBS, start=city.END, size=BATCH, rng=NumpyRng(1))
    return {name: fit(model, batches, steps=steps, rate=rate, progress=progress), **copies}


def main() -> None:
    """Train what was asked for and write each network as safetensors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--only", nargs="*", choices=("target", "draft16", "draft8"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    stops = {200: "draft16_200", 400: "draft16_400", 800: "draft16_800", 1700: "draft16_early"}
    jobs = {
        "target": train_target,
        "draft16": lambda: train_draft(DRAFT16, "draft16", 4000, 1e-2, stops),
        "draft8": lambda: train_draft(DRAFT8, "draft8", 500, 2e-2, {}),
    }
    options.out.mkdir(parents=True, exist_ok=True)
    for job in options.only or jobs:
        for name, model in jobs[job]().items():
            citygpt.save(model, str(options.out / f"{name}.safetensors"))
        print(file=sys.stderr)


if __name__ == "__main__":
    main()
