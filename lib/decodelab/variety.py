"""More than one good text: diverse groups, sampled starts, and stochastic beams."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from decodelab.beam import Hypothesis, beam_search, proposals, ranked, raw
from decodelab.models import LM
from decodelab.rng import Rng
from decodelab.sampling import ancestral, gumbel
from decodelab.speculative import write
from decodelab.tree import Prefix

__all__ = ["Perturbed", "diverse_beam", "noise_by_prefix", "sample_then_beam", "stochastic_beam"]


def diverse_beam(
    lm: LM, width: int, groups: int, penalty: float, *, end: int | None, max_tokens: int
) -> tuple[tuple[Hypothesis, ...], ...]:
    """`groups` beams of `width` each; a token that earlier groups took at this step costs `penalty`.

    Returns the groups' hypotheses; scores are raw (the penalty, in nats a choice, is not in them).
    Errors: `ValueError` for groups or width below 1 or a negative penalty.
    **Law:** no randomness. Source: Vijayakumar et al. 2016 (arXiv 1610.02424).
    """
    if width < 1 or groups < 1 or penalty < 0:
        raise ValueError(f"width = {width}, groups = {groups}, penalty = {penalty}: 1, 1 and 0 are the least")
    beams = [[Hypothesis((), 0.0, False, -1)] for _ in range(groups)]
    for _ in range(max_tokens):
        taken: dict[int, int] = defaultdict(int)
        for g, beam in enumerate(beams):
            grown = [h for h in beam if h.finished]
            for i, h in enumerate(beam):
                if not h.finished:
                    grown += proposals(lm.next_probs(h.tokens), h, i, lm.vocab_size, end)
            fresh = {h.tokens for h in grown} - {h.tokens for h in beam}
            cost = {h.tokens: penalty * taken[h.tokens[-1]] * (h.tokens in fresh) for h in grown}
            beams[g] = sorted(grown, key=lambda h: (cost[h.tokens] - h.score, h.tokens))[:width]
            for h in beams[g]:
                taken[h.tokens[-1]] += h.tokens in fresh
    return tuple(tuple(ranked(beam, raw)) for beam in beams)


def sample_then_beam(lm: LM, lead: int, width: int, *, end: int, max_tokens: int, rng: Rng) -> Hypothesis:
    """Draw the first `lead` tokens from the model, then search for the best continuation.

    The score is that of the whole text.
    **Law:** lossy: the lead has the model's law, and the rest none.
    """
    if not 0 <= lead < max_tokens:
        raise ValueError(f"lead must lie between 0 and max_tokens - 1 = {max_tokens - 1}, got {lead}")
    drawn = write(ancestral(lm), end=end, max_tokens=lead, rng=rng)
    score = sum(math.log(lm.next_probs(drawn[:t])[token]) for t, token in enumerate(drawn))
    if drawn[-1:] == (end,):
        return Hypothesis(drawn, score, True)
    best = beam_search(lm, width, end=end, max_tokens=max_tokens - len(drawn), prefix=drawn).best
    return Hypothesis((*drawn, *best.tokens), score + best.score, best.finished)


# --- stochastic beams: sampling whole texts without replacement -----------------------------------------


@dataclass(frozen=True)
class Perturbed:
    """A text with its true log-probability `score` and its perturbed one, which decided that it was kept."""

    tokens: Prefix
    score: float
    perturbed: float
    finished: bool


def noise_by_prefix(vocab_size: int, *, rng: Rng) -> Callable[[Prefix], np.ndarray]:
    """Standard Gumbel noise (V,) for the children of each prefix, drawn once and remembered."""
    drawn: dict[Prefix, np.ndarray] = {}

    def noise(prefix: Prefix) -> np.ndarray:
        if prefix not in drawn:
            drawn[prefix] = gumbel(rng.uniform(vocab_size))
        return drawn[prefix]

    return noise


def stochastic_beam(
    lm: LM, width: int, *, end: int, max_tokens: int, noise: Callable[[Prefix], np.ndarray]
) -> tuple[Perturbed, ...]:
    """The `width` texts with the largest perturbed log-probabilities, largest first.

    `noise(prefix)` gives Gumbel noise (V,) for the children of a prefix, the same whenever it is asked. The
    children are perturbed so that the largest of them is the prefix's own perturbed value: the beam then
    holds the very texts that perturbing *every* text independently would put first.
    Errors: `ValueError` for a width or max_tokens below 1.
    **Law:** exact: a sample of texts without replacement (Gumbel-top-k); unfinished texts count as texts of
    `max_tokens` tokens. Source: Kool et al. 2019 (arXiv 1903.06059), algorithm 1.
    """
    if width < 1 or max_tokens < 1:
        raise ValueError(f"width and max_tokens must be at least 1, got {width} and {max_tokens}")
    beam = [Perturbed((), 0.0, 0.0, False)]
    for _ in range(max_tokens):
        grown = [text for text in beam if text.finished]
        for text in beam:
            if not text.finished:
                grown += _perturbed_children(lm.next_probs(text.tokens), text, noise(text.tokens), end)
        beam = sorted(grown, key=lambda t: (-t.perturbed, t.tokens))[:width]
        if all(text.finished for text in beam):
            break
    return tuple(beam)


def _perturbed_children(row, parent: Perturbed, noise: np.ndarray, end: int) -> list[Perturbed]:
    """Children with Gumbel values conditioned on their maximum being the parent's."""
    tokens = np.flatnonzero(row > 0)
    scores = parent.score + np.log(row[tokens])
    values = conditioned(scores + noise[tokens], parent.perturbed)
    return [
        Perturbed((*parent.tokens, token), score, value, token == end)
        for token, score, value in zip(tokens.tolist(), scores.tolist(), values.tolist(), strict=True)
    ]


def conditioned(values: np.ndarray, largest: float) -> np.ndarray:
    """Independent Gumbel `values` (K,) moved so that their maximum is `largest`, with the conditional law.

    Source: Kool et al. 2019 (arXiv 1903.06059), appendix B.3, the numerically stable form.
    """
    gap = values - values.max()
    with np.errstate(divide="ignore"):
        v = largest - values + np.log1p(-np.exp(gap))
    return largest - np.maximum(v, 0) - np.log1p(np.exp(-np.abs(v)))
