"""Checks of set 05: which rows a cache holds, and which it must forget."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from decodelab.grading._caches import keep, rows_of_path, tree_mask, tree_positions
from decodelab.grading._cases import same_answers
from decodelab.grading._checks import (
    TOLERANCE,
    as_number,
    call,
    fail,
    need_function,
    plain,
    same_secret,
    short,
    show,
)
from decodelab.grading._cost import same_columns, several
from decodelab.grading._window import take_back
from decodelab.grading.student import student_number

__all__ = [
    "cache_gib",
    "keep",
    "one_round",
    "rewind",
    "rows_of_path",
    "take_back",
    "to_feed",
    "tree_mask",
    "tree_positions",
]


# --- 1: one round ------------------------------------------------------------------------------------

_ROUNDS = ((10, 5, 3), (10, 5, None), (10, 5, 1), (10, 5, 5), (1, 1, 1), (7, 0, None))


def one_round(answer) -> str:
    """Tokens fed, rows that stay, tokens of the text afterwards."""
    need_function(answer, "one_round")
    abouts = [f"for a text of {n}, {k} drafts and rejected = {r}" for n, k, r in _ROUNDS]
    names = ("fed", "rows", "length")
    values = [several(answer, *c, about=a, names=names) for c, a in zip(_ROUNDS, abouts, strict=True)]
    right = [(k + 1, n + _accepted(k, r), n + _accepted(k, r) + 1) for n, k, r in _ROUNDS]
    slips = {
        name: {clause: [f(n, k, r) for n, k, r in _ROUNDS] for clause, f in _ROUND_SLIPS[name].items()}
        for name in names
    }
    same_columns(values, right, abouts, slips)
    return f"three numbers agree for {len(_ROUNDS)} rounds"


def _accepted(drafts: int, rejected: int | None) -> int:
    return drafts if rejected is None else rejected - 1


_ROUND_SLIPS = {
    "fed": {
        "the text's last token has no row yet and is fed too": lambda n, k, r: k,
        "the drafts that will be rejected are fed too, nobody knows them yet": lambda n, k, r: (
            _accepted(k, r) + 1
        ),
        "the rows of the text are cached, only its last token is fed": lambda n, k, r: n + k,
    },
    "rows": {
        "the token that the target adds has not been fed and has no row": lambda n, k, r: (
            n + _accepted(k, r) + 1
        ),
        "the rejected draft's row goes too": lambda n, k, r: n + (k if r is None else r),
        "the rows of rejected drafts must go": lambda n, k, r: n + k,
        "the text's last token was fed, its row stays": lambda n, k, r: n - 1 + _accepted(k, r),
        "that is how many rows go": lambda n, k, r: k - _accepted(k, r),
    },
    "length": {
        "the target adds a token of its own": lambda n, k, r: n + _accepted(k, r),
        "rejected drafts are no part of the text": lambda n, k, r: n + k + 1,
        "that counts two tokens of the target, it adds one": lambda n, k, r: n + _accepted(k, r) + 2,
    },
}


# --- 2: rewinding two caches ----------------------------------------------------------------------------

_REWINDS = [(drafts, accepted) for drafts in (4, 1, 7, 0) for accepted in range(drafts + 1)]


def rewind(answer) -> str:
    """How many rows the target's and the draft model's cache give back."""
    need_function(answer, "rewind")
    abouts = [f"for {k} drafts, {a} of them accepted" for k, a in _REWINDS]
    names = ("target", "draft")
    values = [several(answer, *c, about=a, names=names) for c, a in zip(_REWINDS, abouts, strict=True)]
    right = [(k - a, k - a - 1) for k, a in _REWINDS]
    slips = {
        name: {clause: [f(k, a) for k, a in _REWINDS] for clause, f in _REWIND_SLIPS[name].items()}
        for name in names
    }
    same_columns(values, right, abouts, slips)
    return f"both numbers agree for {len(_REWINDS)} rounds"


_REWIND_SLIPS = {
    "target": {
        "the target has read all drafts, the last one too": lambda k, a: k - a - 1,
        "the target's own token has no row that could go": lambda k, a: k - a + 1,
        "that is what stays": lambda k, a: a,
        "the pending token's row stays too": lambda k, a: a + 1,
    },
    "draft": {
        "the draft model has not read its last draft, one row less goes": lambda k, a: k - a,
        "that is two rows too many": lambda k, a: k - a + 1,
        "after full acceptance a token is missing, which is -1 and not 0": lambda k, a: max(0, k - a - 1),
        "that is one row too few": lambda k, a: k - a - 2,
        "the sign is wrong: rows that go are positive, a missing one is -1": lambda k, a: a + 1 - k,
    },
}


# --- 3: what to keep and what to feed -------------------------------------------------------------------

_TEXTS = (
    ((5, 7), (5, 7, 2)),
    ((5, 7), (5, 7)),
    ((5, 7, 2), (5, 7)),
    ((5, 7, 2, 9), (5, 7, 4, 9)),
    ((5, 7, 2), (8, 7, 2)),
    ((2, 7, 5), (5, 2, 8, 1)),
    ((), (5, 3)),
    ((5, 5, 5), (5, 5, 3, 5)),
)


def to_feed(answer) -> str:
    """How many rows stay, and the tokens to feed: never none."""
    need_function(answer, "to_feed")
    abouts = [f"for held = {list(held)} and wanted = {list(wanted)}" for held, wanted in _TEXTS]
    values = [_kept_and_fed(answer, *case, about) for case, about in zip(_TEXTS, abouts, strict=True)]
    right = [_from(wanted, _reusable(held, wanted)) for held, wanted in _TEXTS]
    slips = {clause: [_from(w, f(h, w)) for h, w in _TEXTS] for clause, f in _FEED_SLIPS.items()}
    slips["the tokens to feed are those of the text wanted"] = [
        (kept, held[kept:]) for (held, _), (kept, _) in zip(_TEXTS, right, strict=True)
    ]
    same_answers(
        values,
        right,
        abouts,
        slips,
        equal=tuple.__eq__,
        write=lambda pair: short((pair[0], list(pair[1]))),
        explain=lambda value, due: f"right is ({due[0]}, {list(due[1])})",
    )
    return f"rows and tokens agree in {len(_TEXTS)} cases"


def _kept_and_fed(answer: Callable, held, wanted, about: str) -> tuple[int, tuple[int, ...]]:
    lent = (list(held), list(wanted))
    value = call(answer, *lent, about=about)
    if lent != (list(held), list(wanted)):
        fail(f"{about} your function writes into its argument: work on a copy", 0.5)
    if not isinstance(value, tuple | list) or len(value) != 2 or not isinstance(plain(value[1]), list):
        fail(f"{about} you return {short(value)}: return (kept, tokens), a number and a list")
    kept = as_number(value[0], f"{about} kept")
    tokens = [as_number(token, f"{about} each token") for token in plain(value[1])]
    if not all(number.is_integer() for number in (kept, *tokens)):
        fail(f"{about} you return {short(value)}: all of it must be whole numbers")
    return int(kept), tuple(map(int, tokens))


def _common(held, wanted) -> int:
    equal = [a == b for a, b in zip(held, wanted, strict=False)]
    return equal.index(False) if False in equal else len(equal)


def _reusable(held, wanted) -> int:
    return min(_common(held, wanted), len(wanted) - 1)


def _from(wanted, kept: int) -> tuple[int, tuple[int, ...]]:
    return kept, tuple(wanted[kept:])


_FEED_SLIPS = {
    "where nothing is fed no row of probabilities comes out: feed the last token again": _common,
    "a row depends on all tokens before it, so nothing counts after the first difference": lambda h, w: min(
        sum(a == b for a, b in zip(h, w, strict=False)), len(w) - 1
    ),
    "a row belongs to a position, not to a token anywhere": lambda h, w: min(
        sum(token in h for token in w), len(w) - 1
    ),
    "you read again rows that are right already": lambda h, w: 0,
    "you read again one row that is right already": lambda h, w: max(0, min(_common(h, w), len(w)) - 1),
    "the tokens themselves must agree, not only the length": lambda h, w: min(len(h), len(w) - 1),
}


# --- 8: your own model -----------------------------------------------------------------------------------


class CacheShape(NamedTuple):
    """What the size of a cache depends on, and some numbers on which it does not."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    head_dim: int
    value_bytes: int
    tokens: int
    texts: int


_MODELS = ((28, 3584, 28, 4), (36, 4096, 32, 8), (48, 5120, 40, 4), (64, 5120, 64, 8), (61, 7168, 56, 7))
_USES = ((2, 6000, 3), (1, 20000, 5), (2, 24000, 6), (1, 9000, 12), (2, 50000, 3))


SHAPES = [
    CacheShape(layers, width, heads, kv_heads, head_dim, *use)
    for layers, width, heads, kv_heads in _MODELS
    for head_dim in (96, 112, 192)
    for use in _USES
]


def your_model(student: str) -> CacheShape:
    """The shape of a model and its cache that belongs to a student's id."""
    return SHAPES[student_number(student, "ex05.model", len(SHAPES))]


def cache_gib(answer, *, student: str) -> str:
    """GiB of the caches of the student's model."""
    right, slips = _gib(your_model(student))
    same_secret(as_number(answer, "cache_gib"), right, about="for your model", slips=slips)
    return f"the caches take {show(right)} GiB ({TOLERANCE})"


@cache
def _gib(shape: CacheShape) -> tuple[float, dict[str, float]]:
    """GiB of all caches, and what typical mistakes give."""
    values = 2 * shape.layers * shape.kv_heads * shape.head_dim * shape.tokens * shape.texts
    right = values * shape.value_bytes / 2**30
    return right, {
        "those are GB, a GiB is 2**30 bytes": right * 2**30 / 1e9,
        "those are bytes": right * 2**30,
        "that counts the query heads, the cache holds key-value heads": right * shape.heads / shape.kv_heads,
        "that takes the width, the cache holds kv_heads * head_dim": (
            right * shape.width / (shape.kv_heads * shape.head_dim)
        ),
        "head_dim is a size of its own, not width / heads": right
        * (shape.width / shape.heads / shape.head_dim),
        "there are keys and values": right / 2,
        "that is one text": right / shape.texts,
        "that is one layer": right / shape.layers,
        f"that is for values of {2 * shape.value_bytes} bytes": right * 2,
    }
