"""Checks of set 04 about the time of a step, and answers of several numbers (sets 04 and 05)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from decodelab.grading._cases import same_numbers
from decodelab.grading._checks import TOLERANCE, as_number, call, fail, need_function, plain, short
from decodelab.grading.answers import CheckFailed
from decodelab.grading.student import student_number
from decodelab.hardware import DEVICES, MODELS
from decodelab.roofline import (
    Device,
    ModelShape,
    bytes_kv_token,
    bytes_weights,
    distinct_experts,
    flops_step,
    seconds_step,
    verification_cost,
)
from decodelab.speculative import speedup as speedup_of

__all__ = [
    "Setup",
    "bytes_read",
    "each",
    "gain_slips",
    "lend",
    "numbers",
    "same_columns",
    "several",
    "speedup",
    "step_seconds",
    "step_slips",
    "the_setup",
]


def lend(thing: Device | ModelShape) -> Device | ModelShape:
    """A copy of a device or a model, so that nothing an answer does to it can reach the tables."""
    if isinstance(thing, Device):
        return replace(thing, flops_per_second=dict(thing.flops_per_second))
    return replace(thing)


def several(answer: Callable, *arguments, about: str, names: Sequence[str]) -> list[float]:
    """Call an answer that returns several numbers in an order."""
    value = plain(call(answer, *arguments, about=about))
    if not isinstance(value, list) or len(value) != len(names):
        fail(f"{about} you return {short(value)}: return ({', '.join(names)})")
    return [as_number(entry, f"{about} {name}") for entry, name in zip(value, names, strict=True)]


def same_columns(
    answers: Sequence[Sequence[float]],
    right: Sequence[Sequence[float]],
    abouts: Sequence[str],
    slips: Mapping[str, Mapping[str, Sequence[float]]],
) -> None:
    """Compare one number after the other over all cases; `slips` has one entry a number, in order.

    Numbers that come before the first wrong one earn their share of the points.
    """
    for j, (name, wrong) in enumerate(slips.items()):
        mine, due = [row[j] for row in answers], [row[j] for row in right]
        try:
            same_numbers(mine, due, [f"{about}, {name}:" for about in abouts], wrong)
        except CheckFailed as failure:
            fail(str(failure), j / len(slips))


def numbers(answer, cases, abouts, what: str) -> list[float]:
    """What an answer gives for every case: models and devices are lent as copies."""
    values = []
    for case, about in zip(cases, abouts, strict=True):
        lent = [lend(x) if hasattr(x, "name") else x for x in case]
        values.append(as_number(call(answer, *lent, about=about), f"{about} {what}"))
    return values


def each(function: Callable, cases) -> list:
    """The function's value for every case."""
    return [function(*case) for case in cases]


# --- 6: experts ------------------------------------------------------------------------------------------

_READ = (
    ("Mixtral-8x7B", 1),
    ("Mixtral-8x7B", 2),
    ("Mixtral-8x7B", 4),
    ("Mixtral-8x7B", 16),
    ("DeepSeek-V3", 5),
    ("Llama-3-8B", 1),
    ("Llama-3-8B", 4),
)


def bytes_read(answer) -> str:
    """The expected bytes of weights that a step reads."""
    need_function(answer, "bytes_read")
    cases = [(MODELS[name], tokens) for name, tokens in _READ]
    abouts = [f"for {name} and a step of {tokens} token{'s' * (tokens > 1)}" for name, tokens in _READ]
    values = numbers(answer, cases, abouts, "the number of bytes")
    right = [bytes_weights(m, "bfloat16", tokens=n) for m, n in cases]
    slips = {
        clause: [_with_experts(m, f(m.experts, m.chosen, n)) for m, n in cases]
        for clause, f in _EXPERT_SLIPS.items()
    }
    slips["that is what a token multiplies with; some is read without that"] = [
        2 * m.active for m, _ in cases
    ]
    slips["those are parameters, of 2 bytes each"] = [x / 2 for x in right]
    slips["those are the experts, the other weights are read too"] = [
        2 * m.expert_parameters * distinct_experts(m.experts, m.chosen, n) / m.experts for m, n in cases
    ]
    same_numbers(values, right, abouts, slips)
    return f"the bytes agree for {len(cases)} steps ({TOLERANCE})"


def _with_experts(model, read: float) -> float:
    shared = model.parameters - model.expert_parameters
    return 2 * (shared + model.expert_parameters * read / model.experts)


_EXPERT_SLIPS = {
    "that reads all experts": lambda e, k, n: e,
    "that reads the experts of one token": lambda e, k, n: k,
    "two tokens may choose the same expert, which is read once": lambda e, k, n: min(e, k * n),
    "an expert that two tokens choose is read once": lambda e, k, n: k * n,
    "the experts of one token are different from each other": lambda e, k, n: (
        e * (1 - (1 - 1 / e) ** (k * n))
    ),
    "each token chooses several experts, not one": lambda e, k, n: e * (1 - (1 - 1 / e) ** n),
    "that is the expected number of experts *not* read": lambda e, k, n: e * (1 - k / e) ** n,
}


# --- 7: the time of a step -------------------------------------------------------------------------------

_STEPS = (
    ("A100", "Llama-2-13B", 1, 2048, 1),
    ("A100", "Llama-2-13B", 64, 256, 1),
    ("A100", "Llama-2-13B", 64, 256, 5),
    ("H100", "Llama-3-8B", 128, 512, 5),
    ("H200", "Mixtral-8x7B", 4, 1024, 5),
    ("L4", "SmolLM2-135M", 256, 64, 8),
)


def step_seconds(answer) -> str:
    """A step's lower bound: reading or arithmetic, whichever takes longer."""
    need_function(answer, "step_seconds")
    cases = [(DEVICES[d], MODELS[m], b, c, n) for d, m, b, c, n in _STEPS]
    abouts = [f"for {m} on {d}, batch {b}, context {c}, {n} new" for d, m, b, c, n in _STEPS]
    values = numbers(answer, cases, abouts, "the time")
    right = [seconds_step(d, m, batch=b, context=c, new=n) for d, m, b, c, n in cases]
    slips = {clause: each(f, cases) for clause, f in _STEP_SLIPS.items()}
    same_numbers([1e3 * x for x in values], [1e3 * x for x in right], [f"{a}, in ms," for a in abouts],
                 {k: [1e3 * x for x in row] for k, row in slips.items()})  # fmt: skip
    return f"the time agrees for {len(cases)} steps ({TOLERANCE})"


def _weights(d, m, b, n) -> float:
    return bytes_weights(m, "bfloat16", tokens=b * n) / d.bytes_per_second


def _caches(d, m, b, c) -> float:
    return b * c * bytes_kv_token(m) / d.bytes_per_second


def _work(d, m, b, c, n, dtype="bfloat16") -> float:
    return flops_step(m, batch=b, context=c, new=n) / d.flops_per_second[dtype]


def _reading(d, m, b, c, n) -> float:
    return _weights(d, m, b, n) + _caches(d, m, b, c)


_STEP_SLIPS = {
    "the arithmetic may take longer than reading": lambda d, m, b, c, n: _reading(d, m, b, c, n),
    "reading may take longer than the arithmetic": lambda d, m, b, c, n: _work(d, m, b, c, n),
    "reading and arithmetic go on at once: the longer one counts, not their sum": lambda d, m, b, c, n: (
        _reading(d, m, b, c, n) + _work(d, m, b, c, n)
    ),
    "the weights are read once for the whole batch": lambda d, m, b, c, n: max(
        b * _weights(d, m, b, n) + _caches(d, m, b, c), _work(d, m, b, c, n)
    ),
    "every text has a cache of its own to read": lambda d, m, b, c, n: max(
        _weights(d, m, b, n) + _caches(d, m, 1, c), _work(d, m, b, c, n)
    ),
    "the caches are read too": lambda d, m, b, c, n: max(_weights(d, m, b, n), _work(d, m, b, c, n)),
    "a cache is read once for all its new tokens": lambda d, m, b, c, n: max(
        _weights(d, m, b, n) + n * _caches(d, m, b, c), _work(d, m, b, c, n)
    ),
    "attention has arithmetic of its own": lambda d, m, b, c, n: max(
        _reading(d, m, b, c, n), 2 * m.active * b * n / d.flops_per_second["bfloat16"]
    ),
    "that is the peak of float32, take that of bfloat16": lambda d, m, b, c, n: max(
        _reading(d, m, b, c, n), _work(d, m, b, c, n, "float32")
    ),
    "that is in milliseconds, seconds are wanted": lambda d, m, b, c, n: (
        1e3 * max(_reading(d, m, b, c, n), _work(d, m, b, c, n))
    ),
    "each text feeds `new` tokens, not one": lambda d, m, b, c, n: max(
        _reading(d, m, b, c, 1), _work(d, m, b, c, 1)
    ),
}


# --- 8: what speculation gains -----------------------------------------------------------------------------

_GAINS = (
    (0.8, 0.1, 4, 1.0),
    (0.8, 0.1, 4, 1.5),
    (0.8, 0.1, 4, 5.0),
    (0.8, 0.1, 0, 1.0),
    (0.9, 0.02, 19, 1.2),
    (0.0, 0.1, 3, 1.2),
    (1.0, 0.1, 4, 1.0),
)


def speedup(answer) -> str:
    """Tokens of a round over its time in plain steps."""
    need_function(answer, "speedup")
    abouts = [f"for alpha = {a}, c = {c}, gamma = {g}, v = {v}" for a, c, g, v in _GAINS]
    values = numbers(answer, _GAINS, abouts, "the speed-up")
    right = [_tokens(a, g) / (g * c + v) for a, c, g, v in _GAINS]
    slips = {clause: each(f, _GAINS) for clause, f in _GAIN_SLIPS.items()}
    same_numbers(values, right, abouts, slips)
    return f"the speed-up agrees in {len(_GAINS)} cases ({TOLERANCE})"


def _tokens(alpha: float, gamma: int) -> float:
    return math.fsum(alpha**i for i in range(gamma + 1))


_GAIN_SLIPS = {
    "that takes verifying to be free, v = 1": lambda a, c, g, v: _tokens(a, g) / (g * c + 1),
    "the target adds a token of its own to the accepted ones": lambda a, c, g, v: (
        (_tokens(a, g) - 1) / (g * c + v)
    ),
    "that is the time, not the speed: turn the fraction over": lambda a, c, g, v: (g * c + v) / _tokens(a, g),
    "every draft costs c, and there are gamma of them": lambda a, c, g, v: _tokens(a, g) / (c + v),
    "you do not pay for the drafts": lambda a, c, g, v: _tokens(a, g) / v,
    "v is added once to the drafts, it does not multiply them": lambda a, c, g, v: (
        _tokens(a, g) / (g * c + 1) / v
    ),
    "the first rejection ends a round: the mean is not alpha * gamma + 1": lambda a, c, g, v: (
        (a * g + 1) / (g * c + v)
    ),
    "there are gamma + 1 powers of alpha, from 0 to gamma": lambda a, c, g, v: (
        _tokens(a, g - 1) / (g * c + v)
    ),
}


# --- a device, a model, a batch of a student's own ---------------------------------------------------


class Setup(NamedTuple):
    """A device and a model by name, the texts in a batch, and the tokens that each of them holds."""

    device: str
    model: str
    batch: int
    context: int


# In all of these a plain step waits for memory, and one that verifies four drafts for the arithmetic.
_BATCHES = (
    ("A100", "Llama-2-7B", (72, 96, 128)),
    ("A100", "Llama-2-13B", (64, 80, 96)),
    ("A100", "Llama-3-8B", (56, 64, 72, 96)),
    ("H100", "Llama-3-8B", (108, 120, 128)),
    ("H100", "Qwen3-32B", (88, 96, 112)),
    ("H200", "Llama-3-8B", (72, 96, 112)),
    ("H200", "Qwen3-32B", (64, 80, 96, 112)),
)
_CONTEXTS = (208, 240, 272, 304)
SETUPS = [
    Setup(device, model, batch, context)
    for device, model, batches in _BATCHES
    for batch in batches
    for context in _CONTEXTS
]
_GAMMA, _ALPHA, _DRAFT = 4, 0.8, 0.1


def the_setup(student: str) -> Setup:
    """The set-up that belongs to a student's id."""
    return SETUPS[student_number(student, "ex04.setup", len(SETUPS))]


@cache
def step_slips(setup: Setup) -> tuple[float, dict[str, float]]:
    """Milliseconds of a plain step, and what typical mistakes give."""
    device, model = DEVICES[setup.device], MODELS[setup.model]
    sizes = {"batch": setup.batch, "context": setup.context}
    right = 1e3 * seconds_step(device, model, **sizes)
    caches = 1e3 * setup.batch * setup.context * bytes_kv_token(model) / device.bytes_per_second
    weights = 2e3 * model.parameters / device.bytes_per_second
    operations = 2e3 * model.active * setup.batch / device.flops_per_second["bfloat16"]
    return right, {
        "that is in seconds": right / 1e3,
        "that is in microseconds": right * 1e3,
        "you leave out reading the caches": weights,
        "you read the cache of one text alone": weights + caches / setup.batch,
        "you leave out reading the weights": caches,
        "that is the time of a step with drafts, a plain one feeds one token a text": 1e3
        * seconds_step(device, model, new=_GAMMA + 1, **sizes),
        "that is the arithmetic alone, and reading takes longer": operations,
        "weights of 2 bytes are read, not of 4": right + weights,
        "you mix GiB with GB": right * 1e9 / 2**30,
    }


@cache
def gain_slips(setup: Setup) -> tuple[float, dict[str, float]]:
    """The speed-up of four drafts a round, and what typical mistakes give."""
    device, model = DEVICES[setup.device], MODELS[setup.model]
    v = verification_cost(device, model, _GAMMA, batch=setup.batch, context=setup.context)
    right = speedup_of(_ALPHA, _GAMMA, _DRAFT, v=v)
    few = verification_cost(device, model, _GAMMA - 1, batch=setup.batch, context=setup.context)
    return right, {
        "that takes verifying to be free, v = 1": speedup_of(_ALPHA, _GAMMA, _DRAFT),
        "that is v(4), not the speed-up": v,
        "that is the time, not the speed: turn the fraction over": 1 / right,
        "that leaves out the token that the target adds to the accepted ones": right
        * (sum(_ALPHA**i for i in range(1, _GAMMA + 1)) / sum(_ALPHA**i for i in range(_GAMMA + 1))),
        "four drafts and the pending token are five tokens to feed, not four": speedup_of(
            _ALPHA, _GAMMA, _DRAFT, v=few
        ),
        "you do not pay for the drafts": speedup_of(_ALPHA, _GAMMA, 0.0, v=v),
        "you pay for one draft alone": speedup_of(_ALPHA, _GAMMA, _DRAFT / _GAMMA, v=v),
    }
