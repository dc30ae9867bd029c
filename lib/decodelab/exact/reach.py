"""Tables of rows for a rule that can leave the language: every prefix that it reaches."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral

import numpy as np

from decodelab.models import LM
from decodelab.tree import Prefix

MOST_PREFIXES, MOST_TOKENS = 200_000, 1000


def reachable_rows(
    target: LM, draft: LM, kernel: Callable, gamma: int, *, end: int = 0
) -> tuple[dict[Prefix, np.ndarray], dict[Prefix, np.ndarray]]:
    """The target's and the draft's rows (V,) at every prefix that rounds of `gamma` drafts can reach.

    A lossy rule reaches prefixes to which the target gives no mass; what comes after them counts too, and
    `kernel_law(*tables, kernel, gamma, legal=...)` then books the sentences that are none as illegal.
    Errors: `ValueError` for a negative gamma, an `end` that is no token of the target, or texts that need not
    end: more than 200,000 prefixes, or one of 1,000 tokens.
    """
    if gamma < 0:
        raise ValueError(f"gamma must be at least 0, got {gamma}")
    if isinstance(end, bool) or not isinstance(end, Integral) or not 0 <= end < target.vocab_size:
        raise ValueError(f"end = {end!r} is not a token id in [0, {target.vocab_size})")
    p_rows, q_rows = {}, {}
    level = {(): {0: 1.0}}  # prefix -> the slots it may stand at, each with its running ratio
    while level:
        prefixes = list(level)
        p_rows |= {prefix: target.next_probs(prefix) for prefix in prefixes}
        q_rows |= {prefix: draft.next_probs(prefix) for prefix in prefixes}
        if len(p_rows) > MOST_PREFIXES:
            raise ValueError(
                f"more than {MOST_PREFIXES:,} prefixes can be reached, after {len(prefixes[0])} tokens"
            )
        if len(prefixes[0]) == MOST_TOKENS:
            raise ValueError(
                f"a text of {MOST_TOKENS:,} tokens is not over: give the target rows that end every text "
                f"with end = {end}, say after a number of tokens"
            )
        level = _next_level(level, p_rows, q_rows, kernel, gamma, end)
    return p_rows, q_rows


def _next_level(level, p_rows, q_rows, kernel, gamma: int, end: int) -> dict[Prefix, dict[int, float]]:
    following: dict[Prefix, dict[int, float]] = {}
    for slot in range(gamma + 1):
        here = [prefix for prefix, slots in level.items() if slot in slots]
        if not here:
            continue
        p, q = (np.stack([rows[prefix] for prefix in here]) for rows in (p_rows, q_rows))
        ratio = np.array([level[prefix][slot] for prefix in here])[:, None]
        stay, leave, grown = (p * 0, p, p) if slot == gamma else kernel(p, q, ratio)
        for mass, next_slot in ((stay, slot + 1), (leave, 0)):
            for i, token in np.argwhere(mass > 0).tolist():
                if token != end:
                    a = float(grown[i, token]) if next_slot else 1.0
                    following.setdefault((*here[i], token), {})[next_slot] = a
    return following
