"""One function for each recurring figure, in one house style that reads on light and dark pages.

Every function draws on a new figure and returns it; the cell that calls it ends with `plt.show()` and
carries caption and alternative text in its metadata. Colours mean the same thing on every page: the
target's law, the draft's, a decoder's exact law, and what is wrong.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files

import matplotlib.pyplot as plt
import numpy as np

__all__ = ["COLOURS", "averages", "beams", "curves", "dots", "exchange", "rows", "shares", "trade", "words"]

_PALETTE = json.loads(files("decodelab").joinpath("explorers", "palette.json").read_text(encoding="utf-8"))
COLOURS = {name: tones["light"] for name, tones in _PALETTE.items()}
# Four more for things that have no role (sentence types): distinct in lightness too, for grey prints.
KINDS = ("#0b3c5d", "#cc79a7", "#56b4e9", "#d9a400")

HOUSE = {
    "axes.edgecolor": COLOURS["muted"],
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelcolor": "#20262c",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "figure.dpi": 160,
    "figure.facecolor": "white",
    "font.size": 9.5,
    "grid.color": COLOURS["grid"],
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "xtick.color": COLOURS["muted"],
    "ytick.color": COLOURS["muted"],
}


GOLDEN, ROOT_TWO = 0.6180339887498949, 0.4142135623730951  # steps that fill an interval evenly

house = plt.rc_context(HOUSE)  # as a decorator it holds while the figure is drawn, and not after


def _figure(height: float = 2.8):
    return plt.subplots(figsize=(6.6, height))


@house
def rows(laws: Mapping[str, Sequence[float]], *, target: str, wrong: Sequence[str] = ()):
    """Bars of several rows (V,) side by side, each bar with its number; `target` is the row they should be.

    Rows named in `wrong` are drawn in the colour of errors.
    """
    figure, axes = _figure()
    width = 0.8 / len(laws)
    for i, (name, row) in enumerate(laws.items()):
        colour = COLOURS["target" if name == target else "wrong" if name in wrong else "law"]
        at = np.arange(len(row)) + (i - (len(laws) - 1) / 2) * width
        bars = axes.bar(at, row, width * 0.92, label=name, color=colour)
        axes.bar_label(bars, fmt="%.4g", fontsize=7, padding=1)
    top = 1.15 * max(max(row) for row in laws.values())
    axes.set(xlabel="token", ylabel="probability", xticks=np.arange(len(row)), ylim=(0, top))
    axes.grid(axis="x", visible=False)
    axes.legend(ncols=len(laws), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


@house
def exchange(p: Sequence[float], q: Sequence[float]):
    """Two bars a token, what the draft `q` offers and what the target `p` wants (V,), cut at min(p, q).

    The draft's bar is what is kept and what is rejected; the target's is what is kept and the residual's
    part. The parts rejected and the parts from the residual have one sum.
    """
    figure, axes = _figure()
    p, q = (np.asarray(row, dtype=np.float64) for row in (p, q))
    kept, at = np.minimum(p, q), np.arange(len(p))
    left, right = at - 0.19, at + 0.19
    both = np.concatenate([left, right])
    axes.bar(both, np.tile(kept, 2), 0.34, color=COLOURS["law"], label="kept, min(p, q)")
    sides = (("rejected", left, q, "draft"), ("from the residual", right, p, "target"))
    for name, where, row, colour in sides:
        style = {"fc": "white", "ec": COLOURS[colour], "hatch": "///", "lw": np.where(row > kept, 1.2, 0)}
        bars = axes.bar(where, row - kept, 0.33, bottom=kept, label=name, **style)
        axes.bar_label(bars, [f"{value:.4g}" for value in row], fontsize=7, padding=1)
    axes.set_xticks(both, [f"{name}({x})" for name in "qp" for x in at])
    axes.set(xlabel="token: drafted (left), emitted (right)", ylabel="probability")
    axes.set_ylim(0, 1.15 * max(p.max(), q.max()))
    axes.grid(axis="x", visible=False)
    legend = axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    for patch in legend.get_patches():  # they copy the first bar, whose part may be empty
        patch.set_linewidth(1.2)
    return figure


@house
def dots(values: Sequence[float], groups: Sequence[str], *, mark: float, mark_label: str, xlabel: str):
    """One dot an item: `values` to the right, a band for each group, and a line at `mark`.

    Within a band the height only spreads the dots; a band of more than 1,000 is also spread sideways by
    .06 either way, or its equal values would lie on one another.
    """
    figure, axes = _figure(3.4)
    values, groups = np.asarray(values), np.asarray(groups)
    names = list(dict.fromkeys(groups.tolist()))
    for band, (name, colour) in enumerate(zip(names, KINDS, strict=False)):
        inside = values[groups == name]
        crowd = len(inside) > 1000
        up = _spread(len(inside), GOLDEN) * 0.7
        side = _spread(len(inside), ROOT_TWO) * (0.12 if crowd else 0)
        axes.scatter(inside + side, band + up, s=1 if crowd else 14, color=colour, alpha=0.8, linewidths=0)
    axes.axvline(mark, color=COLOURS["wrong"], lw=1.4)
    axes.annotate(
        mark_label, (mark, len(names) - 0.45), (5, 0), textcoords="offset points", color=COLOURS["wrong"]
    )
    axes.set(xlabel=xlabel, yticks=range(len(names)), yticklabels=names, ylim=(-0.5, len(names) - 0.3))
    axes.grid(axis="y", visible=False)
    return figure


@house
def shares(table: Mapping[str, Mapping[str, float]], *, xlabel: str):
    """Stacked horizontal bars: for each row of `table` its parts, summing to 1; the larger are labelled."""
    figure, axes = _figure(0.9 + 0.45 * len(table))
    labels = list(table)[::-1]
    left = np.zeros(len(labels))
    for part, colour in zip(next(iter(table.values())), KINDS, strict=False):
        widths = np.array([table[label][part] for label in labels])
        bars = axes.barh(labels, widths, left=left, color=colour, label=part, height=0.66)
        axes.bar_label(
            bars, [f"{w:.2f}" if w > 0.06 else "" for w in widths], label_type="center", color=_on(colour)
        )
        left += widths
    axes.set(xlabel=xlabel, xlim=(0, 1))
    axes.grid(axis="y", visible=False)
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


@house
def averages(laws: Mapping[str, tuple[np.ndarray, np.ndarray]], *, mark: float, mark_label: str, xlabel: str):
    """Distribution functions of several averages, one curve each, and a line at `mark`.

    `laws` maps a label to (values (M,), probabilities (M,)).
    """
    figure, axes = _figure(3.0)
    tones = plt.get_cmap("Blues")(np.linspace(0.45, 1, len(laws)))
    for (label, (values, masses)), tone in zip(laws.items(), tones, strict=True):
        axes.plot(values, np.cumsum(masses), color=tone, lw=1.8, label=label)
    axes.axvline(mark, color=COLOURS["wrong"], lw=1.4)
    axes.annotate(
        mark_label, (mark, 0.9), (5, 0), textcoords="offset points", color=COLOURS["wrong"], va="top"
    )
    axes.set(xlabel=xlabel, ylabel="probability of at most this", ylim=(-0.02, 1.03))
    axes.legend(loc="lower right")
    return figure


@house
def curves(x, lines: Mapping[str, Sequence[float]], *, xlabel: str, ylabel: str, log: str = ""):
    """Several quantities (N,) against one `x` (N,), a mark at each point; `log` names logarithmic axes."""
    figure, axes = _figure()
    tones = (COLOURS["target"], COLOURS["wrong"], COLOURS["law"], COLOURS["draft"], KINDS[0])
    for (name, values), tone, mark in zip(lines.items(), tones, "os^Dv", strict=False):
        axes.plot(x, values, mark + "-", color=tone, lw=1.6, ms=4, label=name)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.set_xscale("log" if "x" in log else "linear")
    axes.set_yscale("log" if "y" in log else "linear")
    if len(lines) > 1:
        axes.legend()
    return figure


@house
def trade(points: Mapping[str, tuple[float, float]], groups: Mapping[str, str], *, xlabel: str, ylabel: str):
    """A named mark for each point (x, y); `groups` names the kind of each, one colour and mark a kind."""
    figure, axes = _figure(3.4)
    tones = (COLOURS["law"], COLOURS["wrong"], COLOURS["draft"], KINDS[0])
    for kind, tone, mark in zip(dict.fromkeys(groups.values()), tones, "osD^", strict=False):
        inside = [points[name] for name in points if groups[name] == kind]
        axes.plot(*zip(*inside, strict=True), mark, color=tone, ms=6, label=kind)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.margins(x=0.12, y=0.1)
    spans = np.ptp(np.array(list(points.values())), axis=0)
    named: list[np.ndarray] = []
    for name, place in points.items():  # the names of points that nearly meet stand below one another
        near = [other for other in named if (np.abs(other - place) <= 0.04 * spans).all()]
        axes.annotate(
            name, (near or [place])[0], (6, 3 - 9 * len(near)), textcoords="offset points", fontsize=8
        )
        named.append(np.array(place))
    axes.legend(ncols=len(tones), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


@house
def words(columns: Mapping[str, Sequence[tuple[str, float]]], *, xlabel: str):
    """Sentences as columns, a word a line; behind each word a bar as long as its number in [0, 1].

    `columns` maps the name of a column to its (word, number) pairs; a full bar is .94 wide.
    """
    lines = max(map(len, columns.values()))
    figure, axes = _figure(0.7 + 0.24 * lines)
    for x, column in enumerate(columns.values()):
        at, numbers = np.arange(len(column)), np.array([number for _, number in column])
        axes.barh(at, 0.94 * numbers, 0.8, left=x, color=COLOURS["draft"], alpha=0.4)
        axes.barh(at, 0.94, 0.8, left=x, color="none", edgecolor=COLOURS["grid"])
        for y, (word, number) in enumerate(column):
            axes.text(x + 0.03, y, word, va="center", fontsize=8)
            axes.text(x + 0.91, y, f"{number:.2f}", va="center", ha="right", fontsize=8)
    axes.set(xlabel=xlabel, ylabel="token", xlim=(0, len(columns)), ylim=(lines - 0.4, -0.6))
    axes.set_yticks(range(lines), [str(line + 1) for line in range(lines)])
    axes.set_xticks(np.arange(len(columns)) + 0.47, list(columns))
    axes.grid(visible=False)
    return figure


@house
def beams(steps: Sequence[Sequence], word: Callable[[int], str]):
    """The hypotheses of a beam search, a column a step, the best on top; lines join each to its parent.

    `steps` are `beam.Search.beams`; `word` names a token. Each box shows the last word and the probability.
    """
    width = max(map(len, steps))
    figure, axes = _figure(0.6 + 0.42 * width)
    for column, step in enumerate(steps):
        for rank, hypothesis in enumerate(step):
            if column and hypothesis.parent >= 0:
                axes.plot(
                    [column - 1 + 0.3, column - 0.3],
                    [-hypothesis.parent, -rank],
                    color=COLOURS["muted"],
                    lw=1,
                )
            colour = COLOURS["law"] if hypothesis.finished else COLOURS["target"]
            label = f"{word(hypothesis.tokens[-1])}\n{math.exp(hypothesis.score):.3g}"
            box = {"boxstyle": "round,pad=0.25", "fc": "white", "ec": colour}
            axes.text(column, -rank, label, ha="center", va="center", fontsize=7.5, bbox=box)
    axes.set(xlim=(-0.5, len(steps) - 0.5), ylim=(-width + 0.4, 0.6), xlabel="step", yticks=[])
    axes.set_xticks(range(len(steps)), [str(n + 1) for n in range(len(steps))])
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
    return figure


def _spread(count: int, step: float) -> np.ndarray:
    return (np.arange(count) * step) % 1 - 0.5


def _on(colour: str) -> str:
    """Black or white, whichever reads better on `colour` (relative luminance)."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.4 else "white"
