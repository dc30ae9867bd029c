"""The live figure of the museum: what would have found a fault, its benchmark, a test, or its exact law?"""

from __future__ import annotations

import math

from decodelab import dists
from decodelab.explorers import detect, fault_rows
from decodelab.explorers.base import SOURCES, Explorer
from decodelab.explorers.sample_picture import check_test, numbers, picture_of, three

__all__ = ["museum_samples"]

SOURCES["museum_samples"] = (
    "figure.css",
    "measures.js",
    "maths.js",
    "verify_row.js",
    "fault_rows.js",
    "element.js",
    "sample_figure.js",
    "museum_samples.js",
)
TITLES = {  # as in museum_samples.js
    "draws_from_the_target_again": "Rejected: resample from P",
    "accepts_everything": "Accept everything",
    "accepts_what_is_likelier": "Keep only if P ≥ Q, else draw from P",
    "likelier_then_residual": "Keep only if P ≥ Q, else residual",
    "ratio_upside_down": "P and Q swapped in ratio and residual",
    "models_exchanged": "Target and draft model exchanged",
    "likeliest_token_first": "First token always the likeliest",
    "likeliest_recorded_as_drawn": "Greedy draft, softmax recorded",
    "row_before_the_cut": "Q recorded before top-2",
    "top_k": "Top-k acceptance, k = 1",
    "lenient": "Lenient acceptance, ℓ = ½",
    "typical_acceptance": "Typical acceptance, ε = .09, δ = .3",
}


def museum_samples(
    p=(0.5, 0.3, 0.2),
    q=(0.2, 0.5, 0.3),
    *,
    fault: str = "draws_from_the_target_again",
    n: int = 100,
    t: float = 0.0,
    cutoff: float = 1e-6,
) -> Explorer:
    """Return the figure "What would have found it?", set to these values; the reader moves all but p and q.

    Shapes: target `p` and draft `q` are (3,), p positive. `fault` is a key of `fault_rows.FAULTS`. `n` in
    [10, 10^8] tokens are tested by a chi-square at level `cutoff` (0.05 or 1e-6); the draft is
    (1 - t) q + t p. The static table has a line for every fault.
    Errors: `ValueError` naming the argument.
    **Law:** exact for laws, distances and acceptances; the test's chances are approximate, as
    `power.detection` says.
    """
    p, q = three(p, q)
    check_test(n, cutoff)
    near = detect.nearer(q, p, t)
    shown = (p, fault_rows.fault(fault, p, near), n, cutoff)
    params = {"p": p.tolist(), "q": q.tolist(), "n": n, "t": t, "bug": fault, "cutoff": cutoff}
    picture = picture_of(
        p, shown[1].law, n, cutoff, wrong="with the fault", right="right rule", law_of="law with the fault"
    )
    return Explorer("museum_samples", params, picture, _alt(fault, *shown), _table(p, near, cutoff))


# --- the fallback -------------------------------------------------------------------------------------


def _alt(name, p, seen, n, cutoff) -> str:
    chance = detect.detection(seen.law, p, n, cutoff)
    return (
        f"{TITLES[name]}. Left: bars of the target row {numbers(p)} and of the exact law with the fault, "
        f"{numbers(seen.law)}; its acceptance is {seen.acceptance:.4g}, that of the right rule "
        f"{seen.right:.4g}. Right: the chance that a chi-square test at level {cutoff:g} flags it, rising "
        f"with the number of samples; with {n} samples it is {chance:.3f}."
    )


def _table(p, q, cutoff) -> tuple[tuple[str, ...], ...]:
    head = ("fault", *(f"token {i}" for i in range(len(p))), "exact TV", "accepts", "right rule accepts",
            f"samples for an even chance at {cutoff:g}")  # fmt: skip
    return (head, *(_line(name, p, q, cutoff) for name in fault_rows.FAULTS))


def _line(name, p, q, cutoff) -> tuple[str, ...]:
    seen = fault_rows.fault(name, p, q)
    needed = detect.samples_needed(seen.law, p, cutoff)
    return (
        TITLES[name],
        *(f"{x:.4f}" for x in seen.law),
        f"{dists.tv(seen.law, p):.4f}",
        f"{seen.acceptance:.4f}",
        f"{seen.right:.4f}",
        "none is enough" if needed == math.inf else f"{math.ceil(needed):,}",
    )
