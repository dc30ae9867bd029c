"""The two ends of the unit interval: draws that no law sees, because they have no mass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np

from decodelab.exact.report import error_text, row_text
from decodelab.lazy import NotEnumerable
from decodelab.rng import ScriptedRng
from decodelab.tree import Draft, Tree, check_verdict

LARGEST = float(np.nextafter(1.0, 0.0))  # the largest uniform below 1
PATTERN = 4  # so many draws take both ends in turn; later ones repeat them

HALF, ONE_LESS, TWO_LESS = 0.5, float(np.nextafter(0.5, 0.0)), 0.5 - 2.0**-53

# (p, q, drafted token): what can go wrong only at an end
EDGES = (
    ((0.0, 0.6, 0.4), (1.0, 0.0, 0.0), 0),  # an impossible token; p has the whole residual
    ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), 1),  # disjoint supports
    ((0.5, 0.5, 0.0), (0.2, 0.3, 0.5), 2),  # an impossible last token
    ((0.3, 0.7, 0.0), (0.3, 0.7, 0.0), 1),  # p = q
    ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0),  # p = q, one-hot
    ((HALF, ONE_LESS, 0.0), (HALF, HALF, 0.0), 1),  # p = q up to one rounding step: an empty residual
    ((HALF, TWO_LESS, 0.0), (HALF, HALF, 0.0), 1),  # and up to two, for a comparison with <=
)


def edge_findings(rule: Callable, widths: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(findings, notes) of `rule` on scripted draws at u = 0 and u = 1 - 2^-53; one finding a row.

    Each row of `EDGES` is laid along a chain as deep as `widths`, and as several children where the draft has
    some. A finding is a token of target probability zero, an error, or a verdict of the wrong shape.
    """
    findings = []
    for (p, q, token), parents in product(EDGES, _trees(widths)):
        try:
            found = next(_faults(rule, p, q, token, parents), None)
        except NotEnumerable as reason:
            return tuple(findings), (f"the ends of the unit interval were not tried: {reason}",)
        if found:
            near = " (equal up to rounding)" if p != q and row_text(p) == row_text(q) else ""
            findings.append(f"with p = {row_text(p)}, q = {row_text(q)}{near} and the draft {token}: {found}")
    return tuple(dict.fromkeys(findings)), ()


def _trees(widths: Sequence[int]) -> list[tuple[int, ...]]:
    """The parents of a chain as deep as the draft, and of a root with siblings if the draft has any."""
    chain = tuple(range(-1, len(widths)))
    return [chain] if set(widths) <= {1} else [chain, (-1, *[0] * max(widths))]


def _faults(rule, p, q, token: int, parents: tuple[int, ...]) -> Iterator[str]:
    tree = Tree((0, *[token] * (len(parents) - 1)), parents)
    for ends in product((0.0, LARGEST), repeat=PATTERN):
        rng = ScriptedRng(ends * 100)
        draft = Draft(tree, np.array([q] * len(parents)))
        try:
            path, last = check_verdict(rule(np.array([p] * len(parents)), draft, rng=rng), tree, len(p))
        except NotEnumerable:
            raise
        except Exception as error:
            yield f"{error_text(error)} ({_told(ends, rng)})"
            continue
        for emitted in (*(tree.tokens[node] for node in path), last):
            if not p[emitted] > 0:
                yield f"token {emitted} of target probability 0 is emitted ({_told(ends, rng)})"


def _told(ends, rng: ScriptedRng) -> str:
    used = (ends * 100)[: 100 * PATTERN - rng.remaining]
    return f"draws {', '.join('0' if u == 0 else '1 - 2^-53' for u in used) or 'none'}"
