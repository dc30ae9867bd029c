"""The figure `shaping`: one row of logits under temperature and truncation, in either order."""

from __future__ import annotations

import numpy as np

from decodelab import dists
from decodelab.explorers import picture
from decodelab.explorers.base import Explorer, palette
from decodelab.explorers.reshape import FIRSTS, check_strategy, in_words, reshaped

__all__ = ["shaping"]

FEWEST, MOST, STEEPEST = 3, 8, 5.0


def shaping(
    logits=(3, 2, 1, 0, -1, -2),
    *,
    T: float = 0.5,
    k: int | None = None,
    mass: float = 0.8,
    ratio: float = 0.0,
    first: str = "temperature",
) -> Explorer:
    """Return the figure "Shaping a row", set to these values; the reader drags the logits and moves the rest.

    `logits` are 3 to 8 numbers in [-5, 5]. The row softmax(logits) is brought to temperature `T` in [0, 2]
    and cut to top-`k` (None keeps all), to top-p `mass` and to min-p `ratio`, both in [0, 1]; `first` is
    "temperature" or "truncation". The figure says when that order matters.
    Errors: `ValueError` naming the argument.
    **Law:** exact, of the row that the strategy draws from, which is not softmax(logits).
    """
    z = np.asarray(logits, dtype=np.float64)
    if z.ndim != 1 or not FEWEST <= len(z) <= MOST or not (np.abs(z) <= STEEPEST).all():
        raise ValueError(f"logits must be {FEWEST} to {MOST} numbers in [-5, 5], got {logits!r}")
    params = {"logits": z.tolist()}
    strategy = check_strategy(T=T, k=k, mass=mass, ratio=ratio, first=first, most=len(z))
    p = dists.softmax(z)
    rows = {order: reshaped(p, **(strategy | {"first": order})) for order in FIRSTS}
    shown = (p, rows, first)
    return Explorer("shaping", params | strategy, _picture(*shown), _alt(strategy, *shown), _table(*shown))


# --- the fallback -------------------------------------------------------------------------------------


def _names(first: str) -> dict[str, str]:
    """The two orders by name, the chosen one first."""
    return {order: f"{order} first" for order in sorted(FIRSTS, key=lambda order: order != first)}


def _alt(strategy, p, rows, first) -> str:
    said = [f"{name}, the row is {_numbers(rows[order])}" for order, name in _names(first).items()]
    return (
        f"Bars of the model's row {_numbers(p)} and of the row after shaping ({in_words(strategy)}). "
        f"With {'; with '.join(said)}."
    )


def _numbers(row) -> str:
    return "(" + ", ".join(f"{x:.4f}" for x in row) + ")"


def _table(p, rows, first) -> tuple[tuple[str, ...], ...]:
    def line(name, row):
        numbers = (f"{x:.4f}" if x > 0 else "removed" for x in row)
        return (name, *numbers, f"{abs(float(dists.entropy(row))):.4f}")

    head = ("row", *(f"token {i}" for i in range(len(p))), "entropy, nats")
    shaped = (line(name, rows[order]) for order, name in _names(first).items())
    return (head, line("softmax of the logits", p), *shaped)


def _picture(p, rows, first) -> bytes:
    return picture.png(lambda axes: _draw(axes, p, rows, first), size=(7, 2.7))


def _draw(axes, p, rows, first) -> None:
    colours, at = palette(), np.arange(len(p))
    names = list(_names(first).items())
    series = [(p, "muted", "softmax of the logits")]
    series += [(rows[order], role, name) for (order, name), role in zip(names, ("law", "draft"), strict=True)]
    for i, (row, role, name) in enumerate(series):
        bars = axes.bar(at + 0.28 * (i - 1), row, 0.26, color=colours[role], label=name)
        axes.bar_label(bars, [f"{x:.3f}".lstrip("0") if x > 0 else "×" for x in row], fontsize=6)
    axes.set(ylabel="probability", xticks=at, xticklabels=[f"token {i}" for i in at])
    axes.margins(y=0.1)
    axes.legend(frameon=False)
