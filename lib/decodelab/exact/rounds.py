"""Rounds under audit: where a rule is tried, what it emits there, and the texts that come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from decodelab.dists import left_over
from decodelab.models import LM, probs_tree
from decodelab.rng import Rng
from decodelab.tree import Draft, Prefix, Tree, check_verdict


@dataclass(frozen=True)
class Setting:
    """Where a rule is tried: a target and a draft model, and the prefix before the round.

    `make(lm)` makes the drafter; `length` is how many tokens of text are compared, one more than the draft
    is deep.
    """

    target: LM
    draft: LM
    prefix: Prefix
    make: Callable[[LM], Callable[..., Draft]]
    length: int
    drafter: Callable[..., Draft] = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "drafter", self.make(self.draft))

    @cached_property
    def truth(self) -> dict[Prefix, float]:
        """The target's own law of the texts of `length` tokens after the prefix."""
        return complete({(): 1}, self.target, self.prefix, self.length)

    @cached_property
    def _rows(self) -> dict[Tree, np.ndarray]:
        return {}

    @property
    def own(self) -> bool:
        """Is the draft model the target itself?"""
        return self.draft is self.target

    def in_floats(self) -> Setting:
        """The same models with rows in float64."""
        target = _Floats(self.target)
        return replace(self, target=target, draft=target if self.own else _Floats(self.draft))

    def rows(self, tree: Tree) -> np.ndarray:
        """The target's rows (n + 1, V) after each node of a tree; a copy, for a rule may write into it."""
        if tree not in self._rows:
            self._rows[tree] = probs_tree(self.target, self.prefix, tree)
        return self._rows[tree].copy()


@dataclass(frozen=True)
class Seen:
    """What a rule did in one setting: the law of its texts, and averages a round.

    `tv` is the total variation to the target's law, `differs` whether that is a fault. `whole`: a draft that
    was kept whole came with one token more. `rare`: what was raised in branches of hardly any mass.
    """

    setting: Setting
    law: dict[Prefix, float]
    tv: float
    differs: bool
    drafted: float
    accepted: float
    by_rejection: float
    whole: bool
    rare: tuple[str, ...] = ()


class _Floats:
    """A model with its rows in float64, each asked for and converted once."""

    def __init__(self, lm: LM):
        self.vocab_size, self._lm, self._rows = lm.vocab_size, lm, {}

    def next_probs(self, prefix: Prefix) -> np.ndarray:
        if prefix not in self._rows:
            self._rows[prefix] = np.asarray(self._lm.next_probs(prefix), dtype=np.float64)
        return self._rows[prefix]


def emit(setting: Setting, draft: Draft, rule: Callable, *, rng: Rng) -> tuple[Prefix, bool]:
    """The tokens that `rule` emits for `draft`, those it keeps and one more; and was a draft kept whole?"""
    verdict = rule(setting.rows(draft.tree), draft, rng=rng)
    path, token = check_verdict(verdict, draft.tree, setting.target.vocab_size)
    whole = 0 < len(path) == draft.tree.depths.max()
    return (*(draft.tree.tokens[node] for node in path), token), bool(whole)


def complete(texts: Mapping[Prefix, float], lm: LM, prefix: Prefix, length: int) -> dict[Prefix, float]:
    """Let `lm` write on from each text until it has `length` tokens; the masses of the texts that result."""
    for size in range(length):
        grown: dict[Prefix, float] = {}
        for text, mass in texts.items():
            if len(text) > size:
                grown[text] = grown.get(text, 0) + mass
                continue
            for token, chance in enumerate(lm.next_probs((*prefix, *text)).tolist()):
                if chance:
                    grown[(*text, token)] = grown.get((*text, token), 0) + mass * chance
        texts = grown
    return dict(texts)


def measures(setting: Setting, draft: Draft):
    """How deep a draft is, and how many of its tokens the rejection rule keeps on average."""
    return int(draft.tree.depths.max()), kept_by_rejection(setting.rows(draft.tree), draft)


def kept_by_rejection(p: np.ndarray, draft: Draft, node: int = 0):
    """How many tokens of `draft` the rejection rule keeps on average; `p` (n + 1, V), rows after nodes."""
    row, reached, kept = p[node], 1, 0
    for child in draft.tree.children(node):
        x, q = draft.tree.tokens[child], draft.q[child]
        chance = min(1, row[x] / q[x])
        if chance:
            kept += reached * chance * (1 + kept_by_rejection(p, draft, child))
        reached *= 1 - chance
        if not reached:
            break
        row = left_over(row, q)
    return kept
