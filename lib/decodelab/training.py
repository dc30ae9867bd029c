"""Training of the small transformers: on a language's own rows, or on sampled sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from decodelab.gpt import GPT
from decodelab.rng import Rng
from decodelab.tree import Prefix

__all__ = ["fit", "soft_batches", "word_batches"]

IGNORED = -100  # the label that cross-entropy skips: padding


def fit(
    model: GPT,
    batches: Iterator[tuple[Tensor, Tensor]],
    *,
    steps: int,
    rate: float,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> GPT:
    """Train `model` in place for `steps` batches of (tokens (B, n), targets) and return it.

    Targets are token ids (B, n), with IGNORED for padding, or rows (B, n, V), with zeros for padding.
    AdamW; the rate rises over the first tenth of the steps and falls as a cosine. `progress(step, loss)`
    is called after each step. With one thread the result is the same to the bit on one machine.
    """
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: _share_of_rate(step, steps))
    for step in range(steps):
        tokens, targets = next(batches)
        loss = cross_entropy(model(tokens).logits, targets)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        progress(step + 1, loss.item())
    return model.eval()


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Mean cross-entropy in nats a token, over what is not padding; targets as in `fit`."""
    if targets.dtype == torch.long:
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED)
    return -(targets * logits.log_softmax(-1)).sum() / targets.sum()


def word_batches(
    sentences: Sequence[Prefix], probs: np.ndarray, *, start: int, size: int, rng: Rng
) -> Iterator[tuple[Tensor, Tensor]]:
    """Endless batches of sampled sentences: tokens (B, n) after `start`, and the ids that follow (B, n).

    `sentences` (N,) are drawn with their `probs` (N,), `size` a batch.
    """
    tokens, labels = _padded(sentences, start)
    for drawn in _draws(probs, size, rng):
        yield tokens[drawn], labels[drawn]


def soft_batches(
    sentences: Sequence[Prefix],
    probs: np.ndarray,
    rows: Mapping[Prefix, np.ndarray],
    *,
    start: int,
    size: int,
    rng: Rng,
) -> Iterator[tuple[Tensor, Tensor]]:
    """The same batches with the true `rows` (B, n, V) as targets in place of the sampled words."""
    tokens, labels = _padded(sentences, start)
    targets = torch.zeros(*labels.shape, len(rows[()]))
    for i, sentence in enumerate(sentences):
        targets[i, : len(sentence)] = torch.tensor(
            np.stack([rows[sentence[:t]] for t in range(len(sentence))])
        )
    for drawn in _draws(probs, size, rng):
        yield tokens[drawn], targets[drawn]


def _padded(sentences: Sequence[Prefix], start: int) -> tuple[Tensor, Tensor]:
    """All sentences as inputs and as labels, (N, n) each."""
    width = max(map(len, sentences))
    tokens = torch.full((len(sentences), width), start)
    labels = torch.full((len(sentences), width), IGNORED)
    for i, sentence in enumerate(sentences):
        tokens[i, 1 : len(sentence)] = torch.tensor(sentence[:-1])
        labels[i, : len(sentence)] = torch.tensor(sentence)
    return tokens, labels


def _draws(probs: np.ndarray, size: int, rng: Rng) -> Iterator[Tensor]:
    below = np.cumsum(probs)
    while True:
        drawn = np.searchsorted(below, rng.uniform(size), side="right")
        yield torch.from_numpy(np.minimum(drawn, len(probs) - 1))  # the last sum may miss 1 by rounding


def _share_of_rate(step: int, steps: int) -> float:
    warm = max(1, steps // 10)
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))
