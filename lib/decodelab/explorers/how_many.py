"""The live figure of page 00: how many samples does it take to see that a decoder is broken?"""

from __future__ import annotations

from decodelab import dists
from decodelab.explorers import detect
from decodelab.explorers.base import Explorer
from decodelab.explorers.sample_picture import CUTOFFS, check_test, numbers, picture_of, three

__all__ = ["BUGS", "CUTOFFS", "broken_law", "samples"]

BUGS = {  # as named in samples.js
    "redraw": detect.law_redraw,
    "another": detect.law_redraw_another,
    "byte": lambda p, q: detect.law_byte_uniform(p),
}


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
    p, q = three(p, q)
    check_test(n, cutoff)
    law = broken_law(bug, p, detect.nearer(q, p, t))
    params = {"p": p.tolist(), "q": q.tolist(), "n": n, "t": t, "bug": bug, "cutoff": cutoff}
    shown = (p, law, n, cutoff)
    picture = picture_of(*shown, wrong="broken C", right="right A, B", law_of="law of C")
    return Explorer("samples", params, picture, _alt(*shown), _table(*shown))


# --- the fallback -----------------------------------------------------------------------------------


def _alt(p, law, n, cutoff) -> str:
    chance = detect.detection(law, p, n, cutoff)
    return (
        f"Left: bars of the target row {numbers(p)} and of the broken decoder's exact law {numbers(law)}. "
        f"Right: the chance that a chi-square test at level {cutoff:g} flags the broken decoder, rising "
        f"with the number of samples; with {n} samples it is {chance:.3f}."
    )


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
