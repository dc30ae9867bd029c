"""The ledger as text: JSON for programs, aligned columns for a terminal, HTML for the appendix."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from numbers import Number

from decodelab.ledger import Row

__all__ = ["FIELDS", "as_html", "as_json", "as_table", "summary"]

FIELDS = ("key", "source", "lecture", "kind", "published", "ours", "status")


def as_json(rows: Sequence[Row]) -> str:
    """A list of objects with the keys of FIELDS; `ours` is a number where it is one, else text or null."""
    return json.dumps([{field: _plain(getattr(row, field)) for field in FIELDS} for row in rows], indent=1)


def as_table(rows: Sequence[Row]) -> str:
    """Aligned columns, and a last line that counts each status."""
    lines = [FIELDS, *(_cells(row) for row in rows)]
    widths = [min(34, max(len(line[i]) for line in lines)) for i in range(len(FIELDS))]
    text = [
        "  ".join(cell[:w].ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in lines
    ]
    return "\n".join([*text, "", summary(rows)])


def as_html(rows: Sequence[Row]) -> str:
    """One table with the statements in words, for a page."""
    head = "".join(f"<th>{name}</th>" for name in ("statement", "published", "ours", "status", "source"))
    body = "".join(
        f'<tr class="{row.status}">'
        f"<td>{escape(row.statement)}<br><code>{escape(row.key)}</code></td><td>{escape(row.published)}</td>"
        f"<td>{escape(shown(row.ours))}</td><td>{row.status}</td><td>{escape(row.source)}</td></tr>"
        for row in rows
    )
    return f'<table class="dataframe ledger"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def summary(rows: Sequence[Row]) -> str:
    """How many rows have each status, the commonest first."""
    return ", ".join(
        f"{count} {status}" for status, count in Counter(row.status for row in rows).most_common()
    )


def shown(value) -> str:
    """A computed value in a few characters; nothing for a row that is not computed yet."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "holds" if value else "does not hold"
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Number):
        return f"{value:.11g}" if abs(value) < 1e15 else f"{float(value):.6e}"
    return str(value)


def _cells(row: Row) -> tuple[str, ...]:
    return (row.key, row.source, row.lecture, row.kind, row.published, shown(row.ours), row.status)


def _plain(value):
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)
