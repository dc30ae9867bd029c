"""Figures of page 04, the roofline."""

from dataclasses import replace

import torch

from decodelab.gpt import Shape, seeded
from decodelab.hardware import DEVICES, MODELS
from decodelab.ledger import recorded
from decodelab.roofline import (
    balance,
    balance_batch,
    intensity,
    seconds_step,
    verification_cost,
)

A100, H100 = DEVICES["A100"], DEVICES["H100"]
ROUND_13B = replace(MODELS["Llama-2-13B"], parameters=13e9, active=13e9)


def milliseconds(n: int) -> float:
    """The recorded time of a forward over n new tokens on the CPU."""
    return recorded("forward-cpu")["forward"]["median_ms"][str(n)]


def one_forward_gives_all_laws() -> bool:
    """Are the rows of one forward those of a forward for each prefix?"""
    text = torch.tensor([[0, 3, 5, 7]])
    model = seeded(Shape(11, 16, 1, 2, 1), 0).double()
    with torch.no_grad():
        apart = torch.stack([model(text[:, :n]).logits[0, -1] for n in range(1, 5)])
        return bool(torch.allclose(model(text).logits[0], apart, atol=1e-12))


ENTRIES = {
    "roofline.intensity.one": lambda: intensity(ROUND_13B, "bfloat16"),
    "roofline.gap.orders": lambda: balance(A100, "bfloat16") / intensity(ROUND_13B, "bfloat16") >= 100,
    "roofline.a100.balance": lambda: balance(A100, "bfloat16"),
    "roofline.h100.balance": lambda: balance(H100, "bfloat16"),
    "roofline.ex5.ms": lambda: 1e3 * seconds_step(A100, ROUND_13B),
    "roofline.ex5.bandwidth": lambda: (
        1e3 * seconds_step(replace(A100, bytes_per_second=2.0e12), ROUND_13B) == 13.0
    ),
    "roofline.ex5.exactparams": lambda: 1e3 * seconds_step(A100, MODELS["Llama-2-13B"]),
    "roofline.ex5.tps": lambda: 1 / seconds_step(A100, ROUND_13B),
    "roofline.ex5.batch": lambda: balance_batch(A100, "bfloat16"),
    "roofline.batch.throughput": lambda: (
        seconds_step(A100, ROUND_13B, batch=128) / seconds_step(A100, ROUND_13B)
    ),
    "roofline.batch.intensity": lambda: intensity(ROUND_13B, "bfloat16", batch=64) == 64,
    "roofline.slides.ms": lambda: "llmsys2026",
    "roofline.404mb": lambda: 4 * recorded("forward-cpu")["parameters"] / 1e6,
    "roofline.cpu.flat": lambda: max(map(milliseconds, (8, 16, 32))) / min(map(milliseconds, (8, 16, 32))),
    "roofline.cpu.t1": lambda: milliseconds(1),
    "roofline.cpu.verify8": lambda: milliseconds(8) / milliseconds(1),
    "roofline.gpu.verify": lambda: verification_cost(A100, ROUND_13B, 64),
    "roofline.causal.parallel": one_forward_gives_all_laws,
    "roofline.pitfall.compute": lambda: "page 04, first pitfall; test_published_balance_points_and_bounds",
    "roofline.batch.spec": lambda: "page 04, several tokens; test_a_long_context_never_becomes_compute_bound",
}
