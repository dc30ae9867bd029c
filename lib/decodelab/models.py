"""Language models as tables: one small interface, and the models that can be known completely.

A model maps a prefix to the law of the next token. That is all an algorithm needs, so the same
algorithm runs on the true law of a language, on an n-gram and on a transformer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Protocol, runtime_checkable

import numpy as np

from decodelab import dists
from decodelab.rng import Rng
from decodelab.tree import Prefix, Tree

__all__ = [
    "LM",
    "Counting",
    "NgramLM",
    "TableLM",
    "Warped",
    "as_floats",
    "fit_ngram",
    "log_prob",
    "map_rows",
    "probs_along",
    "probs_tree",
    "random_lm",
    "random_pairs",
    "tabulate",
]


@runtime_checkable
class LM(Protocol):
    """A language model. It may also have its own, faster `probs_along`, `probs_tree` and `tabulate`."""

    vocab_size: int

    def next_probs(self, prefix: Prefix) -> np.ndarray:
        """The law of the token after `prefix`, shape (V,)."""


def probs_along(lm: LM, prefix: Prefix, tokens: Sequence[int]) -> np.ndarray:
    """Rows (len(tokens) + 1, V): row i is the law *after* the first i of `tokens`."""
    if hasattr(lm, "probs_along"):
        return lm.probs_along(prefix, tokens)
    return np.stack([lm.next_probs((*prefix, *tokens[:i])) for i in range(len(tokens) + 1)])


def probs_tree(lm: LM, prefix: Prefix, tree: Tree) -> np.ndarray:
    """Rows (n + 1, V): row i is the law after `prefix` and the path down to node i."""
    if hasattr(lm, "probs_tree"):
        return lm.probs_tree(prefix, tree)
    return np.stack([lm.next_probs((*prefix, *tree.path_tokens(i))) for i in range(len(tree.tokens))])


def tabulate(lm: LM, prefixes: Iterable[Prefix]) -> dict[Prefix, np.ndarray]:
    """The rows of many prefixes, keyed by prefix; one batched pass where the model offers it."""
    prefixes = list(prefixes)
    if hasattr(lm, "tabulate"):
        return lm.tabulate(prefixes)
    return {prefix: lm.next_probs(prefix) for prefix in prefixes}


def map_rows(table: Mapping[Prefix, np.ndarray], warp: Callable[[np.ndarray], np.ndarray]) -> dict:
    """A table of rows seen through a map that takes batches of rows (those of `dists` do)."""
    return dict(zip(table, warp(np.stack(list(table.values()))), strict=True))


def log_prob(lm: LM, tokens: Sequence[int], prefix: Prefix = ()) -> float:
    """Log-probability of `tokens` after `prefix` in nats, by the chain rule; -inf if a token is impossible.

    **Law:** exact. Source: log P(y) = sum over t of log P(y_t | y_<t).
    """
    for token in tokens:
        if not 0 <= token < lm.vocab_size:
            raise ValueError(f"tokens holds {token!r}, which lies outside [0, {lm.vocab_size})")
    rows = probs_along(lm, prefix, tokens[:-1]) if len(tokens) else []
    chosen = np.array([row[token] for row, token in zip(rows, tokens, strict=True)], dtype=np.float64)
    with np.errstate(divide="ignore"):
        return float(np.log(chosen).sum())


class TableLM:
    """A model written out: a row for each prefix, and one row for every prefix not listed.

    `rows` maps prefixes to rows (V,); `default` is the row of the others.
    Errors: `ValueError` if a row is not a law; `KeyError` naming the prefix if there is no row for it.
    """

    def __init__(self, rows: Mapping[Prefix, Sequence], default: Sequence | None = None):
        self._rows = {tuple(prefix): _fixed_row(row, f"rows[{prefix}]") for prefix, row in rows.items()}
        self._default = None if default is None else _fixed_row(default, "default")
        sizes = {len(row) for row in self._rows.values()} | ({len(default)} if default is not None else set())
        if len(sizes) != 1:
            raise ValueError(f"rows must share one length, got {sorted(sizes)}")
        self.vocab_size = sizes.pop()

    def next_probs(self, prefix: Prefix) -> np.ndarray:
        row = self._rows.get(tuple(prefix), self._default)
        if row is None:
            raise KeyError(f"no row for prefix {tuple(prefix)} and no default")
        return row


def _fixed_row(row, name: str) -> np.ndarray:
    row = dists.check_probs(row, name).copy()
    if row.ndim != 1:
        raise ValueError(f"{name} must be one row, got shape {row.shape}")
    row.setflags(write=False)  # it is handed out, and shared
    return row


class Warped:
    """`lm` seen through a map of one row, `Warped(lm, lambda p: dists.top_p(p, 0.9))`.

    Temperature and truncation enter here, before any algorithm sees a row; `dists.greedy` as the map
    turns every sampler into greedy decoding.
    """

    def __init__(self, lm: LM, warp: Callable[[np.ndarray], np.ndarray]):
        self.lm, self.warp, self.vocab_size = lm, warp, lm.vocab_size

    def next_probs(self, prefix: Prefix) -> np.ndarray:
        return self.warp(self.lm.next_probs(prefix))

    def probs_along(self, prefix: Prefix, tokens: Sequence[int]) -> np.ndarray:
        return np.stack([self.warp(row) for row in probs_along(self.lm, prefix, tokens)])

    def probs_tree(self, prefix: Prefix, tree: Tree) -> np.ndarray:
        return np.stack([self.warp(row) for row in probs_tree(self.lm, prefix, tree)])


class Counting:
    """`lm` with a meter: `calls` forward passes and the number of `rows` they returned."""

    def __init__(self, lm: LM):
        self.lm, self.vocab_size = lm, lm.vocab_size
        self.calls = self.rows = 0

    def _count(self, rows: np.ndarray) -> np.ndarray:
        self.calls += 1
        self.rows += len(rows) if rows.ndim == 2 else 1
        return rows

    def next_probs(self, prefix: Prefix) -> np.ndarray:
        return self._count(self.lm.next_probs(prefix))

    def probs_along(self, prefix: Prefix, tokens: Sequence[int]) -> np.ndarray:
        return self._count(probs_along(self.lm, prefix, tokens))

    def probs_tree(self, prefix: Prefix, tree: Tree) -> np.ndarray:
        return self._count(probs_tree(self.lm, prefix, tree))


class NgramLM:
    """An n-gram model: the law of the next token given the last n - 1.

    `rows` maps contexts of n - 1 tokens to rows (V,). Before the first word the context is filled with
    `end`, the token that closed the sentence before. A context without a row gets `unseen`.
    """

    def __init__(self, rows: Mapping[Prefix, np.ndarray], order: int, *, end: int, unseen: np.ndarray):
        if order < 1:
            raise ValueError(f"order must be at least 1, got {order}")
        self.order, self.end, self.vocab_size = order, end, len(unseen)
        self._rows = {context: _fixed_row(row, f"rows[{context}]") for context, row in rows.items()}
        self._unseen = _fixed_row(unseen, "unseen")

    def context(self, prefix: Prefix) -> Prefix:
        """The last n - 1 tokens of `prefix`, filled with `end` on the left."""
        wanted = self.order - 1
        return ((self.end,) * wanted + tuple(prefix))[len(prefix) :] if wanted else ()

    def next_probs(self, prefix: Prefix) -> np.ndarray:
        return self._rows.get(self.context(prefix), self._unseen)


def fit_ngram(
    weights: Mapping[Prefix, float], order: int, *, vocab_size: int, end: int, smoothing=0
) -> NgramLM:
    """Fit an n-gram of the given `order` to weighted sentences (counts, or exact probabilities).

    Each sentence ends with `end`. `smoothing` is the lambda added to every count; with 0 an unseen
    context ends the sentence, with more it gets the uniform row. Weights may be Fractions: rows are
    rounded to float64 once.
    Errors: `ValueError` for an order below 1, a negative smoothing, or a sentence that does not end with
    `end`, has an id outside [0, V) or a weight that is not positive.
    """
    if smoothing < 0:
        raise ValueError(f"smoothing must be at least 0, got {smoothing!r}")
    unseen = np.full(vocab_size, 1 / vocab_size) if smoothing else dists.one_hot(end, vocab_size)
    model = NgramLM({}, order, end=end, unseen=unseen)
    counts: dict[Prefix, dict[int, object]] = defaultdict(lambda: defaultdict(int))
    for sentence, weight in weights.items():
        if not sentence or sentence[-1] != end:
            raise ValueError(f"sentence {sentence} does not end with the token {end}")
        if not all(0 <= token < vocab_size for token in sentence) or not weight > 0:
            raise ValueError(
                f"sentence {sentence} needs ids in [0, {vocab_size}) and a weight above 0, got {weight!r}"
            )
        for t, token in enumerate(sentence):
            counts[model.context(sentence[:t])][token] += weight
    rows = {context: _smoothed_row(row, vocab_size, smoothing) for context, row in counts.items()}
    return NgramLM(rows, order, end=end, unseen=unseen)


def _smoothed_row(counts: Mapping[int, object], vocab_size: int, smoothing) -> np.ndarray:
    total = sum(counts.values()) + smoothing * vocab_size
    row = np.full(vocab_size, float(smoothing / total))
    for token, count in counts.items():
        row[token] = float((count + smoothing) / total)
    return row


# --- random models, to test algorithms on ------------------------------------------------------------

ROW_KINDS = ("dense", "dense", "sparse", "peaked")  # dense twice: peaked rows hide most faults


def random_lm(vocab_size: int, depth: int, *, rng: Rng, kinds: Sequence[str] = ROW_KINDS) -> TableLM:
    """A model whose row depends on the whole prefix, for every prefix of at most `depth` tokens.

    Rows are arrays of Fractions with small denominators, of a kind drawn from `kinds`: "dense" (all
    tokens possible), "sparse" (some are not), "peaked" (one-hot). `as_floats` turns them into float64.
    A context-free toy hides an index that is off by one; these do not.
    """
    prefixes = (prefix for length in range(depth + 1) for prefix in product(range(vocab_size), repeat=length))
    return TableLM({prefix: _random_row(vocab_size, kinds, rng) for prefix in prefixes})


def random_pairs(count: int, vocab_size: int, depth: int, *, rng: Rng) -> list[tuple[TableLM, TableLM]]:
    """Pairs (target, draft) of random models; in turn unrelated, equal, and of disjoint supports."""
    pairs = []
    for i in range(count):
        target = random_lm(vocab_size, depth, rng=rng)
        if i % 5 == 3:
            pairs.append((target, target))
        elif i % 5 == 4 and vocab_size > 1:
            pairs.append((_halved(target, 0), _halved(random_lm(vocab_size, depth, rng=rng), 1)))
        else:
            pairs.append((target, random_lm(vocab_size, depth, rng=rng)))
    return pairs


def as_floats(lm: TableLM) -> TableLM:
    """The same table with its rows rounded to float64."""
    return TableLM({prefix: row.astype(np.float64) for prefix, row in lm._rows.items()})


def _random_row(vocab_size: int, kinds: Sequence[str], rng: Rng) -> np.ndarray:
    kind = kinds[rng.categorical(np.full(len(kinds), 1 / len(kinds)))]
    weights = [1 + rng.categorical(np.full(9, 1 / 9)) for _ in range(vocab_size)]
    lucky = rng.categorical(np.full(vocab_size, 1 / vocab_size))
    if kind == "peaked":
        weights = [int(token == lucky) for token in range(vocab_size)]
    elif kind == "sparse":
        weights = [w if token == lucky or rng.bernoulli(0.5) else 0 for token, w in enumerate(weights)]
    return np.array([Fraction(w, sum(weights)) for w in weights], dtype=object)


def _halved(lm: TableLM, parity: int) -> TableLM:
    """Move all mass to tokens of one parity, so that two such models share no token."""
    keep = np.array([token % 2 == parity for token in range(lm.vocab_size)])
    return TableLM({prefix: _masked(row, keep) for prefix, row in lm._rows.items()})


def _masked(row: np.ndarray, keep: np.ndarray) -> np.ndarray:
    kept = np.array([value if k else Fraction(0) for value, k in zip(row, keep, strict=True)], dtype=object)
    if not kept.sum():
        kept[np.flatnonzero(keep)[0]] = Fraction(1)
    return dists.normalise(kept)
