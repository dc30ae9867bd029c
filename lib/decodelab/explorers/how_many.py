"""The live figure of page 00: how many samples does it take to see that a decoder is broken?"""

from __future__ import annotations

import math

import numpy as np

from decodelab import dists
from decodelab.explorers import detect, picture
from decodelab.explorers.base import Explorer, palette

__all__ = ["BUGS", "CUTOFFS", "broken_law", "samples"]

BUGS = {  # as named in samples.js
    "redraw": detect.law_redraw,
    "another": detect.law_redraw_another,
    "byte": lambda p, q: detect.law_byte_uniform(p),
}
CUTOFFS = (0.05, 1e-6)
MOST = 10**8


def broken_law(bug: str, p, q):
    """The exact law (3,) of decoder C with `bug`: "redraw", "another" or "byte".

    Errors: `ValueError` for another name.
    **Law:** lossy, as the functions of `detect` say.
    """
    if bug not in BUGS:
        raise ValueError(f"bug must be one of {', '.join(BUGS)}, got {bug!r}")
    return BUGS[bug](p, q)


def samples(
    p=(0.5, 0.3, 0.2),
    q=(0.2, 0.5, 0.3),
    *,
    n: int = 100,
    t: float = 0.0,
    bug: str = "another",
    cutoff: float = 0.05,
) -> Explorer:
    """Return the figure "How many samples?", set to these values; the reader moves all but p and q.

    Shapes: target `p` and draft `q` are (3,), p positive. `n` in [10, 10^8] samples are tested by a
    chi-square at level `cutoff` (0.05 or 1e-6); the draft is (1 - t) q + t p; `bug` is that of decoder C.
    Errors: `ValueError` naming the argument.
    **Law:** exact for the laws and distances; the test's chances are approximate as `detect.detection` says.
    """
    p, q = _row(p, "p"), _row(q, "q")
    if not (p > 0).all():
        raise ValueError(f"p must be positive everywhere, got {p.tolist()}")
    if not 10 <= n <= MOST:
        raise ValueError(f"n must lie between 10 and {MOST}, got {n!r}")
    if cutoff not in CUTOFFS:
        raise ValueError(f"cutoff must be 0.05 or 1e-6, got {cutoff!r}")
    law = broken_law(bug, p, detect.nearer(q, p, t))
    params = {"p": p.tolist(), "q": q.tolist(), "n": n, "t": t, "bug": bug, "cutoff": cutoff}
    shown = (p, law, n, cutoff)
    return Explorer("samples", params, _picture(*shown), _alt(*shown), _table(*shown))


def _row(row, name: str) -> np.ndarray:
    row = dists.check_probs(row, name).astype(np.float64)
    if row.shape != (3,):
        raise ValueError(f"{name} must have three entries, got shape {row.shape}")
    return row


# --- the fallback -----------------------------------------------------------------------------------


def _alt(p, law, n, cutoff) -> str:
    chance = detect.detection(law, p, n, cutoff)
    return (
        f"Left: bars of the target row {_numbers(p)} and of the broken decoder's exact law {_numbers(law)}. "
        f"Right: the chance that a chi-square test at level {cutoff:g} flags the broken decoder, rising "
        f"with the number of samples; with {n} samples it is {chance:.3f}."
    )


def _numbers(row) -> str:
    return "(" + ", ".join(f"{x:.4f}" for x in row) + ")"


def _table(p, law, n, cutoff) -> tuple[tuple[str, ...], ...]:
    head = ("decoder", *(f"token {i}" for i in range(len(p))), "exact TV", f"flagged with n = {n}")
    right = [f"{x:.4f}" for x in p]
    wrong = [f"{x:.4f}" for x in law]
    power = detect.detection(law, p, n, cutoff)
    return (
        head,
        ("A: sample from P", *right, "0", f"{cutoff:g}"),
        ("B: draft, reject, residual", *right, "0", f"{cutoff:g}"),
        ("C: the broken one", *wrong, f"{dists.tv(law, p):.2g}", f"{power:.2g}"),
    )


def _picture(p, law, n, cutoff) -> bytes:
    def draw(bars, curve) -> None:
        _draw_bars(bars, p, law)
        _draw_curve(curve, p, law, n, cutoff)

    return picture.png(draw, size=(7, 2.7), panels=2)


def _draw_bars(axes, p, law) -> None:
    colours, at = palette(), np.arange(len(p))
    for offset, row, role, name in ((-0.2, p, "target", "P, target"), (0.2, law, "wrong", "law of C")):
        drawn = axes.bar(at + offset, row, 0.38, color=colours[role], label=name)
        axes.bar_label(drawn, [f"{x:.4f}".strip("0") for x in row], fontsize=7)
    axes.set(title="The exact laws", ylabel="probability", xticks=at, xticklabels=[f"token {i}" for i in at])
    axes.margins(y=0.1)
    axes.legend(frameon=False)


def _draw_curve(axes, p, law, n, cutoff) -> None:
    colours, counts = palette(), np.logspace(1, math.log10(MOST), 141)
    chances = [detect.detection(law, p, x, cutoff) for x in counts]
    axes.semilogx(counts, chances, color=colours["wrong"], label="broken C")
    axes.axhline(cutoff, color=colours["law"], label="right A, B")
    axes.plot([n], [detect.detection(law, p, n, cutoff)], "o", color=colours["wrong"])
    axes.set(title="Chance that the test flags it", xlabel="samples n", ylabel="chance", ylim=(0, 1.03))
    axes.legend(frameon=False)
