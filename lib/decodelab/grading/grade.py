"""Grading one submission: its plan, its results, and what there is to say about it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

from decodelab.grading.collect import Submission
from decodelab.grading.notebooks import BadNotebook, Cell, plan, task_name
from decodelab.grading.run import Limits, Result, Stopped, run_plan

__all__ = ["Graded", "grade", "not_handed_in"]


@dataclass
class Graded:
    """The outcome for one student and set; `notes` grows while the class is compared."""

    student: str
    set: str
    file: str
    typed_id: str
    results: list[Result]
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def total(self) -> float:
        return round(sum(result.score for result in self.results), 4)

    @property
    def maximum(self) -> float:
        return sum(result.points for result in self.results)


def grade(submission: Submission, file: str, master: tuple[Cell, ...], limits: Limits, stop: threading.Event):
    """Grade one file. Whatever is wrong with it ends in points and a reason, never in an exception.

    Errors: `Stopped` if `stop` is set meanwhile.
    """
    began, notes = time.monotonic(), [submission.note] if submission.note else []
    try:
        todo = plan(master, submission.path)
        results, typed = run_plan(todo, limits, stop), todo.typed_id
        notes += todo.notes
    except BadNotebook as error:
        results, typed = _nothing(master, str(error)), ""
        notes.append(str(error))
    except Stopped:
        raise
    except Exception as error:  # a fault of the grader must not cost the rest of the class
        reason = f"the grader failed on this notebook ({type(error).__name__}: {error}): grade it by hand"
        results, typed = _nothing(master, reason), ""
        notes.append(reason)
    seconds = time.monotonic() - began
    return Graded(submission.student, submission.set, file, typed, results, notes, seconds)


def not_handed_in(student: str, name: str, master: tuple[Cell, ...]) -> Graded:
    """The entry of a student without a file for a set."""
    return Graded(student, name, "", "", _nothing(master, "not handed in"), ["not handed in"])


def _nothing(master: tuple[Cell, ...], reason: str) -> list[Result]:
    """No points for any task, and why."""
    checks = [cell for cell in master if cell.kind == "check"]
    return [Result(task_name(cell.grade_id), cell.points, 0.0, "missing", reason) for cell in checks]
