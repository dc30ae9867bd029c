"""Finding the submissions: which file belongs to which student and set, and which of two counts."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Submission", "collect", "missing", "read_roster"]

# What browsers, Jupyter and Colab add to the name of a copy.
_COPY = re.compile(r"^copy of |[ _-]*(\(\d+\)|copy[ _-]*\d*)$", re.IGNORECASE)
_HEADINGS = ("student", "student id", "student_id", "id", "name", "username")


@dataclass(frozen=True)
class Submission:
    """A file to grade: the student (folder or file name), the set (stem of its master), the path."""

    student: str
    set: str
    path: Path
    note: str = ""


def collect(folder: Path, sets: Iterable[str]) -> tuple[list[Submission], list[str]]:
    """All submissions below `folder`, one a student and set, and remarks about the other files.

    Known layouts: STUDENT/…/SET.ipynb (nbgrader's `submitted`), STUDENT__SET.ipynb, SET__STUDENT.ipynb.
    Of several files of one student for one set the newest counts.
    """
    sets, remarks, files = sorted(sets), [], defaultdict(list)
    for path in sorted(folder.rglob("*.ipynb")):
        relative = path.relative_to(folder)
        if any(part.startswith(".") for part in relative.parts):
            continue  # .ipynb_checkpoints, and what systems leave behind
        student, name = _who(relative, sets)
        if name is None:
            remarks.append(f"{relative.as_posix()}: not the name of a set ({', '.join(sets)}), ignored")
        elif student is None:
            hint = f"put it into a folder with the student's id, or name it STUDENT__{name}.ipynb"
            remarks.append(f"{relative.as_posix()}: a file without a student, ignored ({hint})")
        else:
            files[student, name].append(path)
    found = [_newest(folder, student, name, paths) for (student, name), paths in files.items()]
    return sorted(found, key=lambda s: (s.set, s.student)), remarks


def _who(relative: Path, sets: list[str]) -> tuple[str | None, str | None]:
    """The student and the set that a path speaks of, None for what it does not say."""
    stem = _COPY.sub("", relative.stem)
    if len(relative.parts) > 1:
        return relative.parts[0], _set_of(stem, sets)
    head, _, tail = stem.rpartition("__")
    if head and (name := _set_of(tail, sets)):
        return head, name
    head, _, tail = stem.partition("__")
    if tail and (name := _set_of(head, sets)):
        return tail, name
    name = _set_of(stem, sets)
    bare = name is not None and stem in (name, name.split("_")[0])
    return None if bare else relative.stem, name


def _set_of(stem: str, sets: list[str]) -> str | None:
    """The set a file name means: its full stem, its number alone, or the stem and more after it."""
    for name in sets:
        number = name.split("_")[0]
        if stem == number or re.fullmatch(rf"{re.escape(name)}(\W.*|_.*)?", stem):
            return name
    return None


def _newest(folder: Path, student: str, name: str, paths: list[Path]) -> Submission:
    paths = sorted(paths, key=lambda path: (path.stat().st_mtime, path.as_posix()))
    note = ""
    if len(paths) > 1:
        others = ", ".join(path.relative_to(folder).as_posix() for path in paths[:-1])
        note = f"{len(paths)} files for this set: the newest counts, not {others}"
    return Submission(student, name, paths[-1], note)


def read_roster(path: Path) -> list[str]:
    """The student ids in the first column of a CSV file; a heading is recognised and skipped.

    Errors: `ValueError` if there is none.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        ids = [row[0].strip() for row in csv.reader(file) if row and row[0].strip()]
    if ids and ids[0].casefold() in _HEADINGS:
        ids = ids[1:]
    if not ids:
        raise ValueError(f"roster {path} names no student in its first column")
    return ids


def missing(found: list[Submission], roster: list[str] | None) -> list[tuple[str, str]]:
    """(student, set) pairs not handed in: of the roster, else of the students seen with another set."""
    students = roster if roster is not None else sorted({s.student for s in found})
    have = {(s.student.casefold(), s.set) for s in found}
    sets = sorted({s.set for s in found})
    return [(who, name) for who in students for name in sets if (who.casefold(), name) not in have]
