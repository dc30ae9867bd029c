"""The figure `beam`: beam search step by step, on a small model that the reader edits.

In the model the next word depends on the last one. `search.js` searches in the page as `decodelab.beam`
does here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from decodelab import dists
from decodelab.beam import Hypothesis, Search, beam_search, exhaustive
from decodelab.explorers import picture
from decodelab.explorers.base import Explorer, palette
from decodelab.models import TableLM
from decodelab.tree import Prefix

__all__ = ["EXAMPLE", "LastWordLM", "beam", "word_lm"]

STOP = "."  # the end of a sentence, token 0
START = ""  # stands for the empty text in a model
WIDEST, LONGEST, MOST_WORDS, MOST_OPTIONS = 4, 5, 7, 5

# Page 02's example, with two more beginnings: at width 2 the beam loses the best sentence in its first step.
EXAMPLE = {
    "": {"I": 0.4, "You": 0.35, "We": 0.25},
    "I": {"like": 0.4, "love": 0.4, ".": 0.2},
    "You": {"like": 0.35, "love": 0.4, ".": 0.25},
    "We": {"like": 0.7, "love": 0.2, ".": 0.1},
    "like": {"singing": 0.6, ".": 0.4},
    "love": {"singing": 0.5, ".": 0.5},
    "singing": {".": 1.0},
}


class LastWordLM:
    """A model (an `LM`) whose next word depends on the last: `rows` (V, V), row 0 the law of the first.

    Token 0 ends a sentence.
    """

    def __init__(self, rows):
        self.rows = np.array(rows, dtype=np.float64)
        self.vocab_size = len(self.rows)
        self._table = TableLM({(token,): row for token, row in enumerate(self.rows)})

    def next_probs(self, prefix: Prefix) -> np.ndarray:
        return self._table.next_probs((prefix[-1] if prefix else 0,))


def word_lm(model: Mapping[str, Mapping[str, float]] | None = None) -> tuple[LastWordLM, tuple[str, ...]]:
    """A model written in words as an `LM`, and its words by id: "." is 0, the others as they come first.

    `model` maps each word, and "" for the beginning, to the law of the word after it; None is `EXAMPLE`.
    Errors: `ValueError` naming the row that is missing, too long or no law.
    """
    model = EXAMPLE if model is None else model
    if START not in model:
        raise ValueError('model has no row for "", the first word')
    named = [*model[START], *(word for last in model for word in (last, *model[last]))]
    words = (STOP, *(word for word in dict.fromkeys(named) if word not in (STOP, START)))
    if len(words) - 1 > MOST_WORDS:
        raise ValueError(f"model may have {MOST_WORDS} words beside '.', got {len(words) - 1}")
    rows = [_row(model, START if word == STOP else word, words) for word in words]
    return LastWordLM(rows), words


def _row(model, last: str, words) -> np.ndarray:
    if last not in model:
        raise ValueError(f"model has no row for {last!r}")
    if STOP in model and last == START or not 1 <= len(model[last]) <= MOST_OPTIONS:
        raise ValueError(f"model[{last!r}] must have 1 to {MOST_OPTIONS} words, and nothing follows '.'")
    return dists.check_probs([float(model[last].get(word, 0)) for word in words], f"model[{last!r}]")


def beam(
    model: Mapping[str, Mapping[str, float]] | None = None,
    width: int = 2,
    *,
    max_tokens: int = 4,
    step: int = 1,
) -> Explorer:
    """Return the figure "Beam search, step by step", on `model` as `word_lm` takes it; the reader edits it.

    `width` in [1, 4] hypotheses are kept, texts have at most `max_tokens` in [2, 5] tokens, the end
    included, and the figure opens after `step` steps. The static picture shows the finished search.
    Errors: `ValueError` naming the argument.
    **Law:** no randomness; scores and search as `beam.beam_search`, the best sentence as `beam.exhaustive`.
    """
    for name, value, low, high in (
        ("width", width, 1, WIDEST),
        ("max_tokens", max_tokens, 2, LONGEST),
        ("step", step, 0, LONGEST),
    ):
        if value not in range(low, high + 1):
            raise ValueError(f"{name} must be an integer from {low} to {high}, got {value!r}")
    lm, words = word_lm(model)
    found = beam_search(lm, width, end=0, max_tokens=max_tokens)
    best = exhaustive(lm, end=0, max_tokens=max_tokens)[:1]
    params = {"width": int(width), "max_tokens": int(max_tokens), "step": int(step)}
    data = {"words": list(words), "rows": lm.rows.tolist()}
    shown = (found, best, words)
    return Explorer("beam", params, _picture(lm, *shown), _alt(*shown), _table(*shown), data)


# --- the fallback -------------------------------------------------------------------------------------


def _text(tokens: Prefix, words) -> str:
    return " ".join(words[token] for token in tokens)


def _says(found: Search, best: list[Hypothesis], words) -> str:
    won = found.best
    said = f"The beam ends with “{_text(won.tokens, words)}”, probability {math.exp(won.score):.4g}"
    if not best:
        return f"{said}; no sentence ends in time."
    return f"{said}; the best sentence is “{_text(best[0].tokens, words)}”, {math.exp(best[0].score):.4g}."


def _alt(found, best, words) -> str:
    kept = ["; ".join(_text(h.tokens, words) for h in step) for step in found.beams]
    steps = " ".join(f"Step {t}: {texts}." for t, texts in enumerate(kept, 1))
    return f"A tree of texts, one column a step, with the texts that the beam keeps. {steps} " + _says(
        found, best, words
    )


def _table(found, best, words) -> tuple[tuple[str, ...], ...]:
    def row(name, h):
        state = "finished" if h.finished else "cut by the length limit"
        return (name, _text(h.tokens, words), f"{math.exp(h.score):.4g}", f"{h.score:.4f}", state)

    rows = [row(f"beam, no. {i}", h) for i, h in enumerate(found.hypotheses, 1)]
    rows += [row("best of all", h) for h in best]
    return (("", "text", "probability", "log-probability, nats", "state"), *rows)


def _picture(lm, found, best, words) -> bytes:
    grown = _grown(lm, found)
    heights = _heights(grown)
    size = (7, 0.5 + 0.27 * max(heights.values()))
    return picture.png(lambda axes: _draw(axes, grown, heights, found, words), size=size)


def _grown(lm, found: Search) -> dict[Prefix, float]:
    """Every text that was compared with others, and its probability; in the order of tokens."""
    texts, beam_before = {(): 1.0}, [Hypothesis((), 0.0, False)]
    for beam_after in found.beams:
        for h in beam_before:
            row = lm.next_probs(h.tokens) if not h.finished else np.zeros(0)
            texts |= {(*h.tokens, int(t)): texts[h.tokens] * row[t] for t in np.flatnonzero(row)}
        beam_before = beam_after
    return dict(sorted(texts.items()))


def _heights(grown) -> dict[Prefix, float]:
    """Where each text stands in the tree: leaves one below the other, a parent amid its children."""
    heights: dict[Prefix, float] = {}
    leaves = 0

    def place(tokens: Prefix) -> float:
        nonlocal leaves
        below = [place(text) for text in grown if text and text[:-1] == tokens]
        leaves += not below
        heights[tokens] = sum(below) / len(below) if below else leaves
        return heights[tokens]

    place(())
    return heights


def _draw(axes, grown, heights, found, words) -> None:
    colours = palette()
    kept = {h.tokens for step in found.beams for h in step if not h.finished}
    kept |= {h.tokens for h in found.hypotheses}
    for tokens, prob in grown.items():
        role = "law" if tokens in kept or not tokens else "muted"
        if tokens:
            across, up = [len(tokens) - 0.22, len(tokens)], [heights[tokens[:-1]], heights[tokens]]
            axes.plot(across, up, color=colours[role], lw=1)
        mark = "●" if tokens in kept else "×"
        said = f"{mark} {words[tokens[-1]]} {prob:.4g}" if tokens else "(start)"
        axes.text(len(tokens) + 0.02, heights[tokens], said, va="center", color=colours[role], fontsize=8)
    axes.set(xlim=(0, max(map(len, grown)) + 0.6), ylim=(max(heights.values()) + 0.7, 0.3))
    axes.axis("off")
