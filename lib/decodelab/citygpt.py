"""Transformers of the city language: trained weights that come with the package, and how far each is off."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np
import torch
from safetensors import safe_open

from decodelab import city
from decodelab.gpt import GPT, Shape, tabulate
from decodelab.speculative import position_acceptance
from decodelab.tree import Prefix

__all__ = ["NAMES", "acceptance", "divergence", "legal_mass", "load", "rows", "truncated"]

NAMES = ("target", "draft16", "draft16_early", "draft8", "draft16_200", "draft16_400", "draft16_800")


@cache
def load(name: str) -> GPT:
    """The trained model `name` (one of NAMES) in float64, on the CPU, ready to read.

    "target": d = 64, trained on the language's own rows. The drafts were trained on sampled sentences:
    "draft16", the same stopped early, "draft8", and copies of "draft16" stopped after so many steps.
    Errors: `ValueError` for another name.
    """
    if name not in NAMES:
        raise ValueError(f"name must be one of {', '.join(NAMES)}, got {name!r}")
    path = files("decodelab").joinpath("weights", "city", f"{name}.safetensors")
    with safe_open(str(path), framework="pt") as file:
        model = GPT(Shape(**json.loads(file.metadata()["shape"])))
        model.load_state_dict({key: file.get_tensor(key) for key in file.keys()})  # noqa: SIM118 (not a dict)
    return model.double().eval().requires_grad_(False)


@cache
def truncated(layers: int = 1) -> GPT:
    """The target with only its first `layers` blocks and its own head: a draft that needs no training."""
    full = load("target")
    shape = Shape(**{**vars(full.shape), "layers": layers})
    model = GPT(shape).double()
    model.load_state_dict({key: value for key, value in full.state_dict().items() if _within(key, layers)})
    return model.eval().requires_grad_(False)


def _within(key: str, layers: int) -> bool:
    return not key.startswith("blocks.") or int(key.split(".")[1]) < layers


@cache
def rows(name: str) -> dict[Prefix, np.ndarray]:
    """The rows (71,) of a model at all 13,409 prefixes of the language: one shared table, in float64.

    `name` is one of NAMES, or "truncated" for the one-block target.
    """
    model = truncated() if name == "truncated" else load(name)
    return tabulate(model, city.prefixes(), start=city.END)


# --- how far a table of rows is from another ----------------------------------------------------------


def legal_mass(table: Mapping[Prefix, np.ndarray]) -> float:
    """The probability that the model writes a sentence of the language. **Law:** exact, by the chain rule."""
    return math.fsum(_chance(table, s.tokens) for s in city.sentences())


def divergence(table: Mapping[Prefix, np.ndarray]) -> float:
    """KL from the language to the model, nats a sentence: sum of P(s) ln P(s)/Q(s). **Law:** exact."""
    return math.fsum(float(s.prob) * math.log(s.prob / _chance(table, s.tokens)) for s in city.sentences())


def acceptance(target: Mapping[Prefix, np.ndarray], draft: Mapping[Prefix, np.ndarray]) -> float:
    """Average of alpha = sum min(p, q) over the target's own prefixes, a token at a time.

    A prefix counts by the probability that the target's sentence passes through it (legal prefixes only).
    **Law:** exact.
    """
    alpha, weight = position_acceptance({prefix: target[prefix] for prefix in city.prefixes()}, draft)
    return float(alpha @ weight)


def _chance(table: Mapping[Prefix, np.ndarray], tokens: Prefix) -> float:
    return math.prod(float(table[tokens[:t]][token]) for t, token in enumerate(tokens))


def save(model: GPT, path: str) -> None:
    """Write the weights as float32 safetensors, with the shape in the header."""
    from safetensors.torch import save_file

    tensors = {
        key: value.detach().to(torch.float32).contiguous() for key, value in model.state_dict().items()
    }
    save_file(tensors, path, metadata={"shape": json.dumps(vars(model.shape))})
