"""What the figures about samples share: their sizes, the check of their arguments, and the static picture."""

from __future__ import annotations

import math

import numpy as np

from decodelab import dists
from decodelab.explorers import detect, picture
from decodelab.explorers.base import palette

__all__ = ["CUTOFFS", "MOST", "check_test", "numbers", "picture_of", "three"]

CUTOFFS = (0.05, 1e-6)
MOST = 10**8


def three(p, q) -> tuple[np.ndarray, np.ndarray]:
    """Target and draft as float64 rows of three tokens.

    Errors: `ValueError` for another shape, or a target with a zero, which a chi-square cannot judge.
    """
    p, q = _row(p, "p"), _row(q, "q")
    if not (p > 0).all():
        raise ValueError(f"p must be positive everywhere, got {p.tolist()}")
    return p, q


def _row(row, name: str) -> np.ndarray:
    row = dists.check_probs(row, name).astype(np.float64)
    if row.shape != (3,):
        raise ValueError(f"{name} must have three entries, got shape {row.shape}")
    return row


def check_test(n, cutoff) -> None:
    """Errors: `ValueError` for a number of samples or a level that the sliders do not have."""
    if not 10 <= n <= MOST:
        raise ValueError(f"n must lie between 10 and {MOST}, got {n!r}")
    if cutoff not in CUTOFFS:
        raise ValueError(f"cutoff must be 0.05 or 1e-6, got {cutoff!r}")


def numbers(row) -> str:
    """A row for an alternative text: "(0.5000, 0.3000, 0.2000)"."""
    return "(" + ", ".join(f"{x:.4f}" for x in row) + ")"


def picture_of(p, law, n, cutoff, *, wrong: str, right: str, law_of: str) -> bytes:
    """PNG bytes: bars of p and `law`, and the chance that n samples are flagged; the rest names the marks."""

    def draw(bars, curve) -> None:
        _draw_bars(bars, p, law, law_of)
        _draw_curve(curve, p, law, n, cutoff, wrong, right)

    return picture.png(draw, size=(7, 2.7), panels=2)


def _draw_bars(axes, p, law, law_of) -> None:
    colours, at = palette(), np.arange(len(p))
    for offset, row, role, name in ((-0.2, p, "target", "P, target"), (0.2, law, "wrong", law_of)):
        drawn = axes.bar(at + offset, row, 0.38, color=colours[role], label=name)
        axes.bar_label(drawn, [f"{x:.4f}".strip("0") for x in row], fontsize=7)
    axes.set(title="The exact laws", ylabel="probability", xticks=at, xticklabels=[f"token {i}" for i in at])
    axes.margins(y=0.1)
    axes.legend(frameon=False)


def _draw_curve(axes, p, law, n, cutoff, wrong, right) -> None:
    colours, counts = palette(), np.logspace(1, math.log10(MOST), 141)
    chances = [detect.detection(law, p, x, cutoff) for x in counts]
    axes.semilogx(counts, chances, color=colours["wrong"], label=wrong)
    axes.axhline(cutoff, color=colours["law"], label=right)
    axes.plot([n], [detect.detection(law, p, n, cutoff)], "o", color=colours["wrong"])
    axes.set(title="Chance that the test flags it", xlabel="samples n", ylabel="chance", ylim=(0, 1.03))
    axes.legend(frameon=False)
