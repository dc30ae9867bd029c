"""The ledger: every checkable figure of the sources, beside the one that this library computes.

`ledger.csv` holds the statements and the published values. For each lecture a module of the same name
holds `ENTRIES`, a dict from key to a function without arguments that makes one call of the library. A
row without an entry is pending. `python -m decodelab.ledger` prints the table.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec

__all__ = ["Row", "lectures", "recorded", "rows"]

_STATUS = {  # of a row that has an entry, by its kind
    "language": "beside",
    "device": "beside",
    "erratum": "erratum",
    "claim": "shown",
    "pitfall": "shown",
    "paper": "quoted",
}


@dataclass(frozen=True)
class Row:
    """One figure: its `published` value (text), `ours` as computed here, and how they stand.

    `status`: matched or wrong (exact values, to the published digits), shown, beside, erratum, quoted, or
    pending. A claim that computes to False is wrong.
    """

    key: str
    source: str
    lecture: str
    kind: str
    statement: str
    published: str
    ours: object
    status: str


def rows(lecture: str | None = None) -> Iterator[Row]:
    """Compute the rows of one lecture, or of all, in the order of the ledger.

    Errors: `ValueError` for a lecture that the ledger does not have, or an entry without a row.
    """
    if lecture is not None and lecture not in lectures():
        raise ValueError(f"lecture {lecture!r} is not in the ledger, which has {', '.join(lectures())}")
    for record in _records():
        if lecture in (None, record["lecture"]):
            yield _row(record)


def lectures() -> tuple[str, ...]:
    """The lectures of the ledger, in order."""
    return tuple(dict.fromkeys(record["lecture"] for record in _records()))


def recorded(name: str) -> dict:
    """A measurement that was recorded on a named device: the JSON file `recorded/<name>.json`."""
    return json.loads(files(__name__).joinpath("recorded", f"{name}.json").read_text(encoding="utf-8"))


def _records() -> list[dict[str, str]]:
    text = files(__name__).joinpath("ledger.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _entries(lecture: str) -> dict:
    name = f"{__name__}.{lecture}"
    entries = import_module(name).ENTRIES if find_spec(name) else {}
    known = {record["key"] for record in _records() if record["lecture"] == lecture}
    if unknown := sorted(set(entries) - known):
        raise ValueError(f"ENTRIES of {lecture} has keys without a row in ledger.csv: {', '.join(unknown)}")
    return entries


def _row(record: dict[str, str]) -> Row:
    entry = _entries(record["lecture"]).get(record["key"])
    ours = None if entry is None else entry()
    status = "pending" if entry is None else _status(record, ours)
    wanted = ("key", "source", "lecture", "kind", "statement", "published")
    return Row(*(record[field] for field in wanted), ours=ours, status=status)


def _status(record: dict[str, str], ours) -> str:
    if record["kind"] != "exact":
        return "wrong" if ours is False else _STATUS[record["kind"]]
    if not record["published"]:
        return "shown"
    return "matched" if matches(record["published"], ours) else "wrong"


def matches(published: str, ours) -> bool:
    """Does `ours` round to the published number, at its number of digits? A fraction must be met."""
    if re.fullmatch(r"\d+/\d+", published):
        return ours == Fraction(published)
    digits = Decimal(re.search(r"[-+]?[\d.]+(e[-+]?\d+)?", published)[0])  # "about" before it, a unit after
    unit = Decimal(1).scaleb(digits.as_tuple().exponent)
    return abs(Decimal(float(ours)) - digits) <= unit / 2
