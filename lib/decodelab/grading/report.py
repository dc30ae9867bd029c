"""What the teacher gets: a table, grades.csv, grades.json, and a feedback file for each submission."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from pathlib import Path

from decodelab.grading.grade import Graded
from decodelab.grading.student import is_example

__all__ = ["flag", "number", "table", "write"]


def flag(class_: list[Graded], roster: list[str] | None) -> None:
    """Add notes that need the whole class: one id typed by two students, an id that is not the folder's."""
    by_id = defaultdict(set)
    for graded in class_:
        if graded.typed_id and not is_example(graded.typed_id):
            by_id[graded.typed_id.casefold()].add(graded.student)
    known = None if roster is None else {student.casefold() for student in roster}
    for graded in class_:
        typed = graded.typed_id.casefold()
        others = sorted(by_id.get(typed, set()) - {graded.student})
        if others:
            graded.notes.append(f"the id {graded.typed_id!r} is also typed by {', '.join(others)}")
        elif typed and not is_example(typed) and typed != graded.student.casefold():
            graded.notes.append(f"the id typed in the notebook is {graded.typed_id!r}")
        if known is not None and graded.student.casefold() not in known:
            graded.notes.append("not on the roster")


def number(value: float) -> str:
    """Points as a person writes them: 2, 1.5, .25 as 0.25."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def table(class_: list[Graded]) -> str:
    """One line a submission for the terminal."""
    width = max((len(g.student) for g in class_), default=7)
    sets = max((len(g.set) for g in class_), default=3)
    lines = [f"{'student':{width}}  {'set':{sets}}  points"]
    for g in class_:
        points = f"{number(g.total):>6} / {number(g.maximum)}"
        lines.append(f"{g.student:{width}}  {g.set:{sets}}  {points}  {'; '.join(g.notes)}".rstrip())
    return "\n".join(lines)


def write(class_: list[Graded], folder: Path) -> None:
    """Write grades.csv, grades.json and feedback/STUDENT__SET.md below `folder`."""
    (folder / "feedback").mkdir(parents=True, exist_ok=True)
    _write_csv(class_, folder / "grades.csv")
    records = [_record(graded) for graded in class_]
    text = json.dumps(records, indent=1, ensure_ascii=False) + "\n"
    (folder / "grades.json").write_text(text, encoding="utf-8", errors="replace")
    taken: set[str] = set()
    for graded in class_:
        path = folder / "feedback" / _file_name(graded, taken)
        path.write_text(_feedback(graded), encoding="utf-8", errors="replace")


def _write_csv(class_: list[Graded], path: Path) -> None:
    tasks = list(dict.fromkeys(result.task for graded in class_ for result in graded.results))
    head = ["student", "typed_id", "set", "file", "total", "max", *tasks, "note"]
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        for graded in class_:
            points = {result.task: number(result.score) for result in graded.results}
            row = [graded.student, graded.typed_id, graded.set, graded.file]
            sums = [number(graded.total), number(graded.maximum)]
            scores = [points.get(task, "") for task in tasks]
            writer.writerow([_safe(c) for c in (*row, *sums, *scores, "; ".join(graded.notes))])


def _safe(cell: str) -> str:
    """A text that a spreadsheet will not take for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def _record(graded: Graded) -> dict:
    tasks = [
        {
            "task": result.task,
            "points": result.score,
            "max": result.points,
            "state": result.state,
            "note": result.note,
            "output": result.output,
        }
        for result in graded.results
    ]
    return {
        "student": graded.student,
        "typed_id": graded.typed_id,
        "set": graded.set,
        "file": graded.file,
        "total": graded.total,
        "max": graded.maximum,
        "notes": graded.notes,
        "tasks": tasks,
    }


def _file_name(graded: Graded, taken: set[str]) -> str:
    """A name that every system allows and no other submission has."""
    stem = re.sub(r"[^\w.-]+", "_", f"{graded.student}__{graded.set}") or "_"
    name, count = f"{stem}.md", 2
    while name.casefold() in taken:
        name, count = f"{stem}_{count}.md", count + 1
    taken.add(name.casefold())
    return name


def _feedback(graded: Graded) -> str:
    lines = [f"# {graded.set}: {graded.student}", ""]
    lines += [f"**{number(graded.total)} of {number(graded.maximum)} points**", ""]
    lines += [f"- Note: {note}" for note in graded.notes]
    lines += [""] if graded.notes else []
    for result in graded.results:
        lines.append(f"- {result.task}: {number(result.score)} of {number(result.points)}. {result.note}")
    return "\n".join(lines) + "\n"
