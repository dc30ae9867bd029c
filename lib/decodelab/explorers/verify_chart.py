"""The figure `verification`: p and q under the reader's hand, and what a rule makes of one drafted token."""

from __future__ import annotations

import numpy as np

from decodelab import dists, speculative
from decodelab.explorers import picture
from decodelab.explorers.base import SOURCES, Explorer, palette
from decodelab.explorers.verify_row import Outcome, check_settings, outcome

__all__ = ["verification"]

SOURCES["verification"] = (
    "figure.css",
    "verification.css",
    "measures.js",
    "verify_row.js",
    "element.js",
    "verification.js",
)
MOST_DRAFTED = 10
NAMES = {  # as in verification.js
    "rejection": "rejection",
    "match": "sample and match",
    "gumbel": "Gumbel coupling",
    "top_k": "top-k acceptance",
    "lenient": "lenient acceptance",
    "typical_acceptance": "typical acceptance",
    "redraw": "the broken rule that resamples from p",
    "accept_all": "the broken rule that accepts everything",
}


def verification(
    p=(0.5, 0.3, 0.2),
    q=(0.2, 0.5, 0.3),
    *,
    gamma: int = 4,
    rule: str = "rejection",
    k: int = 1,
    leniency: float = 0.5,
    epsilon: float = 0.09,
    delta: float = 0.3,
) -> Explorer:
    """Return the figure "Verifying one drafted token", set to these values; the reader drags p and q.

    Shapes: target `p` and draft `q` are (3,) or (4,). `rule` is one of "rejection", "match", "gumbel",
    "top_k" (`k`), "lenient" (`leniency` in [0.1, 1]), "typical_acceptance" (`epsilon`, `delta`), and of the
    broken "redraw" and "accept_all". The expected tokens a call are shown for 0 to 10 drafted ones, `gamma`
    of them marked.
    Errors: `ValueError` naming the argument.
    **Law:** exact, of one token drafted from q and verified by the rule; that law is p for the first three.
    """
    p, q = _row(p, "p"), _row(q, "q")
    if p.shape != q.shape:
        raise ValueError(f"p and q must be of one length, got {len(p)} and {len(q)}")
    if isinstance(gamma, bool) or gamma not in range(MOST_DRAFTED + 1):
        raise ValueError(f"gamma must be an integer from 0 to {MOST_DRAFTED}, got {gamma!r}")
    settings = check_settings(len(p), k=k, leniency=leniency, epsilon=epsilon, delta=delta)
    if leniency < 0.1:
        raise ValueError(f"leniency must lie in [0.1, 1] in this figure, got {leniency!r}")
    shown = (p, q, int(gamma), rule, outcome(rule, p, q, **settings))
    params = {"p": p.tolist(), "q": q.tolist(), "gamma": int(gamma), "rule": rule}
    return Explorer("verification", params | settings, _picture(*shown), _alt(*shown), _table(*shown))


def _row(row, name: str) -> np.ndarray:
    row = dists.check_probs(row, name).astype(np.float64)
    if row.shape not in ((3,), (4,)):
        raise ValueError(f"{name} must have three or four entries, got shape {row.shape}")
    return row


# --- the fallback -------------------------------------------------------------------------------------


def _tokens(out: Outcome, gamma: int) -> float:
    return speculative.expected_tokens(min(float(out.acceptance), 1.0), gamma)


def _numbers(row) -> str:
    return "(" + ", ".join(f"{x:.4g}" for x in row) + ")"


def _alt(p, q, gamma, rule, out) -> str:
    return (
        f"Left: bars of the target row p = {_numbers(p)} and of the draft row q = {_numbers(q)}; min(p, q), "
        f"{np.minimum(p, q).sum():.4g} in all, is shaded. Middle: what {NAMES[rule]} emits, "
        f"{_numbers(out.law)}, TV {dists.tv(out.law, p):.4f} from p; it keeps {out.acceptance:.4g} of the "
        f"drafts. Right: the expected tokens a call against the drafted tokens, {_tokens(out, gamma):.4g} "
        f"at γ = {gamma}."
    )


def _table(p, q, gamma, rule, out) -> tuple[tuple[str, ...], ...]:
    def line(name, row):
        return (name, *(f"{x:.4f}" for x in row), f"{row.sum():.4f}")

    kept = np.minimum(p, q)
    gap = out.law - p + 0.0
    gap[np.abs(gap) < 1e-12] = 0
    return (
        ("row", *(f"token {i}" for i in range(len(p))), "sum"),
        line("p, target", p),
        line("q, draft", q),
        line("min(p, q)", kept),
        line("residual norm((p − q)+)", dists.residual(p, q)),
        line(f"kept by {NAMES[rule]}", out.kept),
        line("emitted", out.law),
        ("emitted − p", *(f"{x:+.4f}" for x in gap), f"TV {np.abs(gap).sum() / 2:.4f}"),
        ("tokens a call", *(f"γ = {n}: {_tokens(out, n):.4f}" for n in _counts(gamma, len(p) + 1))),
    )


def _counts(gamma: int, columns: int) -> list[int]:
    """As many numbers of drafted tokens as there are columns, `gamma` among them."""
    others = [n for n in (1, 2, 5, MOST_DRAFTED, 0) if n != gamma]
    return sorted([gamma, *others[: columns - 1]])


def _picture(*shown) -> bytes:
    def draw(rows, emitted, tokens) -> None:
        p, q, gamma, _, out = shown
        _draw_rows(rows, p, q)
        _draw_emitted(emitted, p, out)
        _draw_tokens(tokens, out, gamma)

    return picture.png(draw, size=(8.4, 2.6), panels=3, colours=16)


def _draw_rows(axes, p, q) -> None:
    colours, at, kept = palette(), np.arange(len(p)), np.minimum(p, q)
    for offset, row, role, name in ((-0.2, p, "target", "p"), (0.2, q, "draft", "q")):
        axes.bar(at + offset, row, 0.36, color=colours[role], label=name)
        label = "min(p, q)" if role == "draft" else None
        axes.bar(at + offset, kept, 0.36, color=colours["law"], hatch="///", edgecolor="white", label=label)
    _name(axes, "Accepted: min(p, q)", at)


def _draw_emitted(axes, p, out) -> None:
    colours, at = palette(), np.arange(len(p))
    axes.bar(at - 0.2, p, 0.36, color=colours["target"], label="p")
    axes.bar(at + 0.2, out.kept, 0.36, color=colours["law"], hatch="///", edgecolor="white", label="kept")
    drawn = np.maximum(out.law - out.kept, 0)
    axes.bar(at + 0.2, drawn, 0.36, bottom=out.kept, color=colours["muted"], label="drawn anew")
    _name(axes, f"Emitted: TV {dists.tv(out.law, p):.3f}", at)


def _name(axes, title, at) -> None:
    axes.set(title=title, xticks=at, xlabel="token", ylabel="probability")
    axes.margins(y=0.15)
    axes.legend(frameon=False, fontsize=7)


def _draw_tokens(axes, out, gamma) -> None:
    colours, counts = palette(), range(MOST_DRAFTED + 1)
    axes.plot(counts, [_tokens(out, n) for n in counts], "o-", ms=3, color=colours["law"])
    axes.plot([gamma], [_tokens(out, gamma)], "o", ms=8, color=colours["target"])
    if (rest := 1 - float(out.acceptance)) > 0.05:
        axes.axhline(1 / rest, ls="--", color=colours["muted"], label="limit 1/(1 − α)")
        axes.legend(frameon=False, fontsize=7, loc="lower right")
    axes.set(title="Expected tokens a call", xlabel="drafted tokens γ", ylim=(0, None))
