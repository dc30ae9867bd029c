"""Checks of set 04: what a step costs, in bytes, operations and seconds."""

from __future__ import annotations

import math

from decodelab.grading._cases import same_answers, same_numbers
from decodelab.grading._checks import TOLERANCE, as_number, close, need_function, same_secret, show
from decodelab.grading._cost import (
    Setup,
    bytes_read,
    each,
    gain_slips,
    lend,
    numbers,
    same_columns,
    several,
    speedup,
    step_seconds,
    step_slips,
    the_setup,
)
from decodelab.hardware import MODELS
from decodelab.roofline import bytes_kv_token

__all__ = [
    "balance_batch",
    "bytes_read",
    "cache_sizes",
    "gain",
    "limits",
    "longest_context",
    "speedup",
    "step_ms",
    "step_seconds",
    "texts_that_fit",
]


# --- 1: the limits of a model on a device -----------------------------------------------------

_LIMITS = (
    (13e9, 2, 2.039e12, 312e12),
    (8.03e9, 2, 3.35e12, 989.4e12),
    (70e9, 1, 4.8e12, 989.4e12),
    (7e9, 0.5, 0.3e12, 121e12),
)


def limits(answer) -> str:
    """Milliseconds a token, tokens a second and the ridge."""
    need_function(answer, "limits")
    abouts = [
        f"for {show(p / 1e9)}e9 parameters of {w} B, {show(b / 1e12)}e12 B/s, {show(f / 1e12)}e12 FLOP/s"
        for p, w, b, f in _LIMITS
    ]
    names = ("milliseconds", "tokens_per_second", "ridge")
    values = [several(answer, *c, about=a, names=names) for c, a in zip(_LIMITS, abouts, strict=True)]
    right = [(1e3 * p * w / b, b / (p * w), f / b) for p, w, b, f in _LIMITS]
    slips = {name: {k: each(f, _LIMITS) for k, f in _LIMIT_SLIPS[name].items()} for name in names}
    same_columns(values, right, abouts, slips)
    return f"three numbers agree for {len(_LIMITS)} models and devices ({TOLERANCE})"


_LIMIT_SLIPS = {
    "milliseconds": {
        "that is in seconds": lambda p, w, b, f: p * w / b,
        "that is in microseconds": lambda p, w, b, f: 1e6 * p * w / b,
        "you leave out the bytes of a parameter": lambda p, w, b, f: 1e3 * p / b,
        "you divide weights in GiB by a bandwidth in GB": lambda p, w, b, f: 1e3 * p * w / b * 1e9 / 2**30,
        "that is the time of the arithmetic, reading takes longer": lambda p, w, b, f: 2e3 * p / f,
    },
    "tokens_per_second": {
        "that is tokens a millisecond": lambda p, w, b, f: b / (p * w) / 1e3,
        "that is seconds a token, turn it over": lambda p, w, b, f: p * w / b,
        "that is milliseconds a token": lambda p, w, b, f: 1e3 * p * w / b,
    },
    "ridge": {
        "that is bytes an operation, turn it over": lambda p, w, b, f: b / f,
        "the ridge belongs to the device, without the bytes of a weight": lambda p, w, b, f: f / b * w / 2,
        "that is off by 1000": lambda p, w, b, f: f / b / 1e3,
        "peak and bandwidth as they are: no factor 2 for a multiply and an add": lambda p, w, b, f: f / b / 2,
    },
}


# --- 2 and 3: the cache, and what fits ---------------------------------------------------------------------

_CACHES = (
    ("Llama-3-8B", 8192),
    ("Llama-3-70B", 32768),
    ("Llama-2-7B", 32768),
    ("Qwen3-32B", 40960),
    ("SmolLM2-135M", 2048),
)


def cache_sizes(answer) -> str:
    """Bytes a token, and GB and GiB of a whole cache."""
    need_function(answer, "cache_sizes")
    cases = [(MODELS[name], tokens) for name, tokens in _CACHES]
    abouts = [f"for {name} and {tokens} tokens" for name, tokens in _CACHES]
    names = ("bytes_per_token", "gigabytes", "gibibytes")
    values = [
        several(answer, lend(m), n, about=a, names=names) for (m, n), a in zip(cases, abouts, strict=True)
    ]
    right = [(kv := bytes_kv_token(m), n * kv / 1e9, n * kv / 2**30) for m, n in cases]
    slips = {
        "bytes_per_token": {k: [f(m) for m, _ in cases] for k, f in _TOKEN_SLIPS.items()},
        "gigabytes": {
            "those are GiB, a GB is 1e9 bytes": [row[2] for row in right],
            "those are bytes": [row[1] * 1e9 for row in right],
        },
        "gibibytes": {
            "those are GB, a GiB is 2**30 bytes": [row[1] for row in right],
            "a GiB is 2**30 bytes, larger than a GB": [row[1] * 2**30 / 1e9 for row in right],
        },
    }
    same_columns(values, right, abouts, slips)
    return f"three numbers agree for {len(cases)} models ({TOLERANCE})"


_TOKEN_SLIPS = {
    "that counts the query heads, the cache holds key-value heads": lambda m: (
        4 * m.layers * m.heads * m.head_dim
    ),
    "that takes the width, the cache holds kv_heads * head_dim": lambda m: 4 * m.layers * m.width,
    "head_dim is a size of its own, not width / heads": lambda m: (
        4 * m.layers * m.kv_heads * m.width / m.heads
    ),
    "there are keys and values": lambda m: 2 * m.layers * m.kv_heads * m.head_dim,
    "that is one layer": lambda m: 4 * m.kv_heads * m.head_dim,
    "that is a single head": lambda m: 4 * m.layers * m.head_dim,
    "those are 4 bytes a value, bfloat16 has 2": lambda m: 8 * m.layers * m.kv_heads * m.head_dim,
}

_FITS = (
    ("Llama-2-13B", 80, 2048),
    ("Llama-3-8B", 24, 8192),
    ("Llama-2-7B", 80, 4096),
    ("Llama-2-70B", 141, 4096),
    ("Llama-3-70B", 141, 8192),
    ("Llama-3-8B", 16, 512),
)


def texts_that_fit(answer) -> str:
    """How many caches fit beside the weights: a whole number, 0 if the weights do not fit."""
    need_function(answer, "texts_that_fit")
    cases = [(MODELS[name], memory, tokens) for name, memory, tokens in _FITS]
    abouts = [f"for {name}, {memory} GB and {tokens} tokens" for name, memory, tokens in _FITS]
    values = numbers(answer, cases, abouts, "the number of texts")
    right = [max(0, math.floor(x)) for x in each(_room, cases)]
    slips = {k: each(f, cases) for k, f in _FIT_SLIPS.items()}
    same_numbers(values, right, abouts, slips)
    return f"the number of texts agrees in {len(cases)} cases"


def _room(model, memory, tokens, *, giga=1e9, weight=2.0, factor=1.0) -> float:
    free = memory * giga - weight * model.parameters
    return free / (tokens * factor * bytes_kv_token(model))


_FIT_SLIPS = {
    "a GB of memory is 1e9 bytes, not 2**30": lambda *c: max(0, math.floor(_room(*c, giga=2**30))),
    "a text fits as a whole or not: round down": lambda *c: max(0, math.ceil(_room(*c))),
    "round down, not to the nearest": lambda *c: max(0, round(_room(*c))),
    "a text fits as a whole or not, so the number is whole": lambda *c: max(0.0, _room(*c)),
    "if the weights do not fit it is 0": lambda *c: math.floor(_room(*c)),
    "if the weights do not fit it is 0, not negative or a fraction": lambda *c: _room(*c),
    "the weights take room too": lambda *c: math.floor(_room(*c, weight=0.0)),
    "the weights take 2 bytes each": lambda *c: math.floor(_room(*c, weight=1.0)),
    "that counts the query heads, the cache holds key-value heads": lambda *c: max(
        0, math.floor(_room(*c, factor=c[0].heads / c[0].kv_heads))
    ),
}


# --- 4 and 5: where a step is balanced -------------------------------------------------------------

_A100, _H100 = 312 / 2.039, 989.4 / 3.35
_BATCHES = (
    (13.0159e9, 2, _A100, 0),
    (8.03e9, 2, _H100, 0),
    (8.03e9, 1, _H100, 0),
    (8.03e9, 0.5, _H100, 0),
    (13.0159e9, 2, _A100, 100 * 819200),
    (13.0159e9, 2, _A100, 200 * 819200),
    (13.0159e9, 2, _A100, 208 * 819200),
    (13.0159e9, 2, _A100, 2048 * 819200),
)


def balance_batch(answer) -> str:
    """The batch at which reading takes as long as the arithmetic, with the caches read."""
    need_function(answer, "balance_batch")
    abouts = [
        f"for {show(p / 1e9)}e9 parameters of {w} B, ridge {show(r)} and a cache of {c:,} bytes"
        for p, w, r, c in _BATCHES
    ]
    values = numbers(answer, _BATCHES, abouts, "the batch")
    same_answers(
        values,
        each(_balanced, _BATCHES),
        abouts,
        {k: each(f, _BATCHES) for k, f in _BATCH_SLIPS.items()},
        equal=close,
        write=show,
        explain=lambda value, due: f"right is {'inf' if math.isinf(due) else show(due)}",
    )
    return f"the batch agrees in {len(_BATCHES)} cases, two of them without any ({TOLERANCE})"


def _balanced(p, w, ridge, c) -> float:
    left = 2 * p - ridge * c
    return ridge * p * w / left if left > 0 else math.inf


_BATCH_SLIPS = {
    "that is the ridge, a batch needs the bytes of a weight too": lambda p, w, r, c: r,
    "the caches are read too": lambda p, w, r, c: r * w / 2,
    "a multiply and an add are two operations": lambda p, w, r, c: (
        r * p * w / (p - r * c) if p > r * c else math.inf
    ),
    "one cache is read for each text of the batch": lambda p, w, r, c: r * (p * w + c) / (2 * p),
    "no batch is negative: where the caches alone keep the intensity below the ridge it is inf": (
        lambda p, w, r, c: r * p * w / (2 * p - r * c)
    ),
    "the number of bytes a weight divides where it should multiply": lambda p, w, r, c: (
        r * p * 2 / w / (2 * p - r * c) if 2 * p > r * c else math.inf
    ),
}

_CONTEXTS = (
    (13.0159e9, 819200, _A100),
    (8.03e9, 131072, _A100),
    (8.03e9, 131072, _H100),
    (70.554e9, 327680, _H100),
)


def longest_context(answer) -> str:
    """The context at which even an endless batch only just reaches the ridge."""
    need_function(answer, "longest_context")
    abouts = [
        f"for {show(p / 1e9)}e9 parameters, {k} bytes a token, ridge {show(r)}" for p, k, r in _CONTEXTS
    ]
    values = numbers(answer, _CONTEXTS, abouts, "the context")
    right = [2 * p / (k * r) for p, k, r in _CONTEXTS]
    slips = {
        "a multiply and an add are two operations": [x / 2 for x in right],
        "it need not be whole": [float(math.floor(x)) for x in right],
        "it need not be whole, and the next whole one is beyond it": [float(math.ceil(x)) for x in right],
        "6 operations a parameter are those of training": [3 * x for x in right],
        "multiply the bytes of the cache by the ridge, do not divide": [
            2 * p * r / k for p, k, r in _CONTEXTS
        ],
        "that is twice too much: 2 operations a parameter, and no bytes of weights": [2 * x for x in right],
        "that is the context at which the caches are as large as the weights of one text": [
            2 * p / k for p, k, _ in _CONTEXTS
        ],
    }
    same_numbers(values, right, abouts, slips)
    return f"the context agrees in {len(_CONTEXTS)} cases ({TOLERANCE})"


# --- 9: your own device ----------------------------------------------------------------------------


def your_setup(student: str) -> Setup:
    """The device, model, batch and context of a student's id."""
    return the_setup(student)


def step_ms(answer, *, student: str) -> str:
    """Milliseconds of a plain step of the student's set-up."""
    right, slips = step_slips(the_setup(student))
    same_secret(as_number(answer, "step_ms"), right, about="for your plain step", slips=slips)
    return f"a plain step takes at least {show(right)} ms ({TOLERANCE})"


def gain(answer, *, student: str) -> str:
    """The speed-up of four drafts in the student's set-up."""
    right, slips = gain_slips(the_setup(student))
    same_secret(as_number(answer, "gain"), right, about="for your set-up and gamma = 4", slips=slips)
    return f"four drafts a round make the batch {show(right)} times as fast ({TOLERANCE})"
