"""Reading notebooks: what the master asks, what a submission answers, and the plan to run.

Only JSON is needed for this. The marks are nbgrader's: `solution` for an answer, `grade` for a check.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass, replace
from pathlib import Path

from decodelab.grading.student import is_example

__all__ = ["BadNotebook", "Cell", "Plan", "master_cells", "plan", "task_name"]

STUDENT_CELL = "student"  # the grade_id of the cell that holds the id ends in this


class BadNotebook(ValueError):
    """A file that cannot be read as a notebook; the text says why."""


@dataclass(frozen=True)
class Cell:
    """A code cell to run. `kind` is "run" (the master's own), "answer" or "check"."""

    kind: str
    grade_id: str
    source: str
    points: float = 0.0


@dataclass(frozen=True)
class Plan:
    """The cells to run for one submission, remarks about it, the id typed in it, the gaps.

    `missing` are the grade_ids of the answers that the submission does not have.
    """

    cells: tuple[Cell, ...]
    notes: tuple[str, ...]
    typed_id: str
    missing: frozenset[str] = frozenset()


def task_name(grade_id: str) -> str:
    """The task that a check cell belongs to: "ex01-greedy_token-check" grades "ex01-greedy_token"."""
    return grade_id.removesuffix("-check")


def master_cells(path: Path) -> tuple[Cell, ...]:
    """The code cells of a master notebook, without its set-up cells.

    Errors: `BadNotebook` if it cannot be read or has no check worth points.
    """
    cells = tuple(_cell(raw) for raw in _code_cells(path) if "setup" not in raw["metadata"].get("tags", []))
    if not any(cell.kind == "check" and cell.points > 0 for cell in cells):
        raise BadNotebook(f"{path.name} has no cell marked as a check with points")
    return cells


def plan(master: tuple[Cell, ...], path: Path) -> Plan:
    """The master's cells with the answers of the submission at `path` put in their places.

    Errors: `BadNotebook` if the file cannot be read, is empty, or has no cell marked as an answer.
    """
    raw = _code_cells(path)
    if not raw:
        raise BadNotebook("the notebook is empty")
    answers = [cell for cell in map(_cell, raw) if cell.kind == "answer"]
    if not answers:
        raise BadNotebook("no cell is marked as an answer: the marks of the exercise are lost")
    by_id = {cell.grade_id: cell.source for cell in answers}
    wanted = [cell.grade_id for cell in master if cell.kind == "answer"]
    cells = tuple(_answered(cell, by_id) for cell in master)
    missing = frozenset(wanted) - frozenset(by_id)
    typed = next((_typed(by_id.get(i, "")) for i in wanted if i.endswith(STUDENT_CELL)), "")
    return Plan(cells, tuple(_notes(answers, by_id, wanted, typed)), typed, missing)


def _answered(cell: Cell, answers: dict[str, str]) -> Cell:
    """The master's cell, with the student's source if it is an answer that the student has."""
    if cell.kind != "answer" or cell.grade_id not in answers:
        return cell
    return replace(cell, source=answers[cell.grade_id])


def _notes(answers, by_id, wanted, typed) -> list[str]:
    notes = [f"answer cell {i} is missing" for i in wanted if i not in by_id]
    ids = [cell.grade_id for cell in answers]
    notes += [f"{ids.count(i)} cells are marked {i}, the last counts" for i in by_id if ids.count(i) > 1]
    if any(i.endswith(STUDENT_CELL) for i in wanted) and (not typed or is_example(typed)):
        notes.append("no student id was typed in the notebook")
    return notes


def _cell(raw: dict) -> Cell:
    marks = raw["metadata"].get("nbgrader")
    marks = marks if isinstance(marks, dict) else {}
    kind = "check" if marks.get("grade") else "answer" if marks.get("solution") else "run"
    points = marks.get("points") if kind == "check" else 0
    return Cell(kind, str(marks.get("grade_id", "")), raw["source"], float(points or 0))


def _code_cells(path: Path) -> list[dict]:
    """The code cells with something in them, `source` as one text and `metadata` a dict."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        reason = "the file is empty" if path.is_file() and not path.stat().st_size else str(error)
        raise BadNotebook(f"the file cannot be read as a notebook: {reason}") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise BadNotebook("the file is not a notebook of format 4: it has no list of cells")
    found = []
    for cell in cells:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source, metadata = cell.get("source", ""), cell.get("metadata")
        source = "".join(map(str, source)) if isinstance(source, list) else str(source)
        if source.strip():
            found.append({"source": source, "metadata": metadata if isinstance(metadata, dict) else {}})
    return found


def _typed(source: str) -> str:
    """The text assigned to STUDENT; read, not run, so that it is known even if the notebook dies."""
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError):
        return ""
    for statement in statements:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            if any(isinstance(t, ast.Name) and t.id == "STUDENT" for t in statement.targets):
                return str(statement.value.value or "").strip()
    return ""
