"""The figure `rewind`: which rows of two caches a round of speculative decoding adds, cuts and keeps."""

from __future__ import annotations

from decodelab.explorers import picture
from decodelab.explorers.base import SOURCES, Explorer, palette
from decodelab.explorers.rewind_rows import Round
from decodelab.explorers.rewind_rows import rewind as one_round

__all__ = ["rewind"]

SOURCES["rewind"] = ("figure.css", "rewind.css", "rewind_steps.js", "element.js", "rewind.js")
MOST_HELD, MOST_DRAFTED, LAST_STEP = 100, 8, 4
SHOWN = 4  # rows before the round that the picture shows


def rewind(held: int = 10, gamma: int = 4, accepted: int = 2, *, step: int = 0) -> Explorer:
    """Return the figure "The rewind tape", set to these values; the reader moves them and plays rounds.

    `held` in [1, 100] rows stand in both caches and one more token is pending; `gamma` in [1, 8] tokens are
    drafted, the first `accepted` of them kept. The figure opens after `step` in [0, 4]: before the round,
    drafted, verified, decided, rewound. The static picture and table show the finished round.
    Errors: `ValueError` naming the argument.
    **Law:** no randomness; the numbers are those of `cached.CachedLM`.
    """
    for name, value, low, high in (
        ("held", held, 1, MOST_HELD),
        ("gamma", gamma, 1, MOST_DRAFTED),
        ("accepted", accepted, 0, gamma),
        ("step", step, 0, LAST_STEP),
    ):
        if value not in range(low, high + 1):
            raise ValueError(f"{name} must be an integer from {low} to {high}, got {value!r}")
    params = {"held": int(held), "gamma": int(gamma), "accepted": int(accepted), "step": int(step)}
    counts = one_round(held, gamma, accepted)
    shown = (held, gamma, accepted, counts)
    return Explorer("rewind", params, _picture(*shown), _alt(*shown), _table(held, gamma))


# --- the fallback -------------------------------------------------------------------------------------


def _alt(held, gamma, accepted, counts: Round) -> str:
    missing = ""
    if counts.draft.left > 1:
        missing = (
            f" The last draft was never read by the draft model: {counts.draft.left} tokens are to be fed."
        )
    return (
        f"Two caches of {held} rows, one token pending. {gamma} tokens are drafted and {accepted} accepted. "
        f"The target's cache grows to {counts.target.most} rows and is cut by {counts.target.cut} to "
        f"{counts.target.after}; the draft's grows to {counts.draft.most} and is cut by {counts.draft.cut} "
        f"to {counts.draft.after}. {counts.committed} tokens are committed, the last one read by neither."
        f"{missing}"
    )


def _table(held, gamma) -> tuple[tuple[str, ...], ...]:
    head = ("drafts accepted", "tokens committed", "target: rows cut", "rows left", "draft: rows cut",
            "rows left", "tokens the draft has still to read")  # fmt: skip
    rounds = ((a, one_round(held, gamma, a)) for a in range(gamma + 1))
    body = (
        (a, r.committed, r.target.cut, r.target.after, r.draft.cut, r.draft.after, r.draft.left)
        for a, r in rounds
    )
    return (head, *(tuple(map(str, row)) for row in body))


def _picture(*shown) -> bytes:
    return picture.png(lambda axes: _draw(axes, *shown), size=(7, 1.9))


def _draw(axes, held, gamma, accepted, counts: Round) -> None:
    first = max(0, held - SHOWN)
    _cells(axes, 2, "text", [(i, "draft" if i == counts.committed - 1 else "muted", str(i))
                             for i in range(first, counts.committed)])  # fmt: skip
    for height, name, rows in ((1, "target's cache", counts.target), (0, "draft's cache", counts.draft)):
        cells = [(i, *_mark(i, rows)) for i in range(first, rows.most)]
        _cells(axes, height, f"{name}, {rows.after} rows", cells)
    axes.text(first - 0.1, -0.75, "■ held   + read in this round   × read, then cut", fontsize=8)
    axes.set(xlim=(first - 4.2, held + gamma + 2), ylim=(-0.95, 2.75))
    axes.axis("off")


def _mark(i: int, rows) -> tuple[str, str]:
    if i >= rows.after:
        return "wrong", "×"
    return ("target", "■") if i < rows.before else ("law", "+")


def _cells(axes, height: float, name: str, cells) -> None:
    from matplotlib.patches import Rectangle

    axes.text(cells[0][0] - 0.2, height + 0.3, name, ha="right", va="center", fontsize=8)
    for at, role, text in cells:
        colour = palette()[role]
        axes.add_patch(Rectangle((at, height), 0.9, 0.65, fill=False, edgecolor=colour, lw=1.2))
        axes.text(at + 0.45, height + 0.31, text, ha="center", va="center", color=colour, fontsize=8)
