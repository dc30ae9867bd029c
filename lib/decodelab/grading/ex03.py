"""Checks of set 03: drawing a token, and shaping the row it is drawn from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import permutations

import numpy as np

from decodelab.grading._cases import same_numbers
from decodelab.grading._checks import (
    TOLERANCE,
    as_number,
    as_row,
    as_token,
    as_tokens,
    call,
    close,
    difference,
    fail,
    need_function,
    same_number,
    short,
    show,
    unchanged,
)
from decodelab.grading._laws import same_law, worst_outcome
from decodelab.grading._noise import LARGEST, draw_rows
from decodelab.grading._shaping import (
    both_orders,
    cool,
    min_p,
    scene_share,
    sentence_entropy,
    top_p,
)
from decodelab.grading._shaping import your_temperature as your_temperature  # for the notebook

__all__ = [
    "alias_table",
    "both_orders",
    "cool",
    "draw",
    "draw_rows",
    "min_p",
    "most_comparisons",
    "scene_share",
    "sentence_entropy",
    "subset_law",
    "top_p",
]


# --- 1: one uniform, one token ------------------------------------------------------------------------

_ROWS = ((0.5, 0.3, 0.2), (0.0, 0.4, 0.0, 0.6), (0.1, 0.2, 0.7, 0.0), (0.0, 1.0))
_SHORT = (0.1,) * 10  # its running sum ends at .9999999999999999, and that is the largest uniform


def draw(answer) -> str:
    """The law of the token for a uniform u, and no impossible token for any u in [0, 1)."""
    need_function(answer, "draw")
    for p in _ROWS:
        array, about = np.array(p), f"for p = {p}"
        tokens = {_drawn(answer, array, (i + 0.5) / 64, about) for i in range(64)}
        if len(tokens) == 1 and len(_law(p)) > 1:
            fail(f"{about} you return {tokens.pop()} for every u")
        same_law(lambda rng, a=array, s=about: _drawn(answer, a, rng.uniform(), s), _law(p), _no_words(about))
        unchanged(array, p, about)
    for p in (*_ROWS, _SHORT, (*_SHORT, 0.0)):
        for u in (0.0, LARGEST):
            row = p if len(p) < 9 else f"ten times .1{' and a 0' if len(p) > 10 else ''}"
            about = f"for p = {row} and u = {'0' if u == 0 else '1 - 2^-53'}"
            token = _drawn(answer, np.array(p), u, about, 0.5)
            if p[token] == 0:
                fail(f"{about} you return {token}, which has probability 0", 0.5)
    return (
        f"the law agrees on {len(_ROWS)} rows ({TOLERANCE}), and u = 0 and u = 1 - 2^-53 give possible tokens"
    )


def _law(p) -> dict[int, float]:
    return {token: mass for token, mass in enumerate(p) if mass > 0}


def _no_words(about: str):
    def compare(found, right):
        fail(f"{about} {worst_outcome(found, right)}")

    return compare


def _drawn(answer, array, u, about: str, credit: float = 0.0) -> int:
    token = as_token(call(answer, array, u, about=about, credit=credit), f"{about} the answer")
    if token >= len(array):
        fail(f"{about} you return {token}, the last token is {len(array) - 1}", credit)
    return token


# --- 2: the alias table ---------------------------------------------------------------------------------

_TABLES = (
    (0.5, 0.3, 0.2),
    (0.8, 0.2),
    (0.1, 0.2, 0.3, 0.4),
    (0.7, 0.05, 0.05, 0.2, 0.0),
    (0.25, 0.25, 0.25, 0.25),
    tuple(i / 5050 for i in range(1, 101)),
)


def alias_table(answer) -> str:
    """Any table of V columns whose draws have the law p."""
    need_function(answer, "alias_table")
    for p in _TABLES:
        array, about = np.array(p), f"for p = {p}" if len(p) < 9 else f"for a row of {len(p)} tokens"
        value = call(answer, array, about=about)
        unchanged(array, p, about)
        if not isinstance(value, tuple | list) or len(value) != 2:
            fail(f"{about} you return {short(value)}: return (keep, alias), two rows of {len(p)}")
        keep = as_row(value[0], len(p), f"{about} keep")
        alias = [as_token(a, f"{about} each alias") for a in as_row(value[1], len(p), f"{about} alias")]
        _same_table(keep, alias, p, about)
    return f"the law of the draws, read off the table, agrees on {len(_TABLES)} rows ({TOLERANCE})"


def _same_table(keep, alias, p, about: str) -> None:
    for i, x in enumerate(keep):
        if not -1e-9 <= x <= 1 + 1e-9:
            fail(f"{about} column {i} keeps {show(x)}, which is no probability: it fills one column only")
    if max(alias) >= len(p):
        fail(f"{about} an alias is {max(alias)}, the last token is {len(p) - 1}")
    law = _marginals(keep, alias)
    if all(map(close, law, p)):
        return
    if all(map(close, _marginals([1 - x for x in keep], alias), p)):
        fail(f"{about} the branches are swapped: column i gives i with probability keep[i]", 0.5)
    token = max(range(len(p)), key=lambda i: abs(law[i] - p[i]))
    fail(f"{about} your table gives token {token} {difference(law[token], p[token])}")


def _marginals(keep, alias) -> list[float]:
    law = list(keep)
    for i, other in enumerate(alias):
        law[other] += 1 - keep[i]
    return [x / len(keep) for x in law]


# --- 3: how long a search takes --------------------------------------------------------------------------


def most_comparisons(answer) -> str:
    """The comparisons of halving in the worst case."""
    need_function(answer, "most_comparisons")
    sizes = (1, 2, 3, 4, 5, 71, 1000, 1024, 1025, 128_256)
    abouts = [f"for {size} tokens" for size in sizes]
    values = [
        as_number(call(answer, size, about=about), f"{about} the number")
        for size, about in zip(sizes, abouts, strict=True)
    ]
    slips = {
        "a number of comparisons is a whole number": [math.log2(size) for size in sizes],
        "the last slices still need a comparison, round up": [math.floor(math.log2(size)) for size in sizes],
        "that is one too many for a power of 2": [size.bit_length() for size in sizes],
        "that is a linear scan": [size - 1 for size in sizes],
        "that is one too many": [(size - 1).bit_length() + 1 for size in sizes],
    }
    same_numbers(values, [(size - 1).bit_length() for size in sizes], abouts, slips)
    about = "for 2^53 + 1 tokens, where a float rounds the size,"
    value = as_number(call(answer, 2**53 + 1, about=about, credit=0.75), f"{about} the number")
    same_number(value, 54, about=about, slips={}, credit=0.75)
    return f"the number agrees for {len(sizes) + 1} sizes; for 128,256 tokens it is 17"


# --- 4: without replacement -------------------------------------------------------------------------------

_SUBSETS = (
    ((0.5, 0.3, 0.2), 2),
    ((0.5, 0.3, 0.2), 1),
    ((0.5, 0.3, 0.2), 3),
    ((0.4, 0.3, 0.2, 0.1), 2),
    ((0.4, 0.3, 0.2, 0.1), 3),
    ((0.6, 0.0, 0.4), 2),
    ((0.7, 0.1, 0.1, 0.1), 2),
)


def subset_law(answer) -> str:
    """The probability of each set of k tokens drawn one after the other, none twice."""
    need_function(answer, "subset_law")
    for p, k in _SUBSETS:
        array, about = np.array(p), f"for p = {p}, k = {k}"
        value = call(answer, array, k, about=about)
        unchanged(array, p, about)
        if not isinstance(value, Mapping):
            fail(f"{about} you return {short(value)}: return a dict from set to probability")
        _same_subsets(value, p, k, about)
    return f"the law agrees in {len(_SUBSETS)} cases ({TOLERANCE})"


def _same_subsets(value, p, k: int, about: str) -> None:
    found: dict[tuple, float] = {}
    for key, mass in value.items():
        tokens = as_tokens(sorted(key), "each key of the dict")
        if len(set(tokens)) != k or max(tokens) >= len(p):
            fail(f"{about} you give the set {short(key)}: a set holds {k} different tokens below {len(p)}")
        if tokens in found:
            fail(f"{about} you give {tokens} in two orders: a set has none, add them up", 0.5)
        found[tokens] = as_number(mass, f"the probability of {tokens}")
    right = _subsets(p, k)
    first = {s: math.prod(p[i] for i in s) for s in right}  # as if the draws were independent
    total = sum(first.values())
    slips = {
        "that is for independent draws, given that they differ": {s: x / total for s, x in first.items()},
        "that is one order of several": {s: _in_order(p, s) for s in right},
        "that takes all sets as equal": dict.fromkeys(right, 1 / len(right)),
        "that draws with replacement: what is drawn must not come again": {
            s: x * math.factorial(k) for s, x in first.items()
        },
    }
    everything = {*found, *right}
    if all(close(found.get(s, 0.0), right.get(s, 0.0)) for s in everything):
        return
    for clause, wrong in slips.items():
        if all(close(found.get(s, 0.0), wrong.get(s, 0.0)) for s in everything):
            fail(f"{about} {clause}")
    fail(f"{about} {worst_outcome(found, right)}")


def _subsets(p, k: int) -> dict[tuple, float]:
    law: dict[tuple, float] = {}
    for order in permutations([i for i, x in enumerate(p) if x > 0], k):
        chosen = tuple(sorted(order))
        law[chosen] = law.get(chosen, 0.0) + _in_order(p, order)
    return law


def _in_order(p, order) -> float:
    mass, left = 1.0, 1.0
    for token in order:
        mass, left = mass * p[token] / left, left - p[token]
    return mass
