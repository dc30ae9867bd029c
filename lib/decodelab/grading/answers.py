"""`check`: the one function an exercise calls, and what it can say.

A check is a plain function in `decodelab/grading/exNN.py`, named like its task. It takes the answer,
returns a clause saying what was checked, or raises `CheckFailed`. A new set is a new file.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass

from decodelab.grading.student import EXAMPLE_ID, is_example

__all__ = ["CheckFailed", "NotWritten", "Verdict", "check", "judge"]

_NAME = re.compile(r"(ex\d\d[a-z]?)\.([a-z]\w*)")


class CheckFailed(Exception):
    """An answer is wrong: one sentence says how; `credit` in [0, 1) is the part that is right."""

    def __init__(self, sentence: str, credit: float = 0.0):
        if not 0 <= credit < 1:
            raise ValueError(f"credit must lie in [0, 1), got {credit!r}")
        super().__init__(sentence)
        self.credit = credit

    def _render_traceback_(self) -> list[str]:
        # Jupyter shows these lines in place of a traceback: the sentence is all there is to see.
        return [f"not right yet: {self}"]


class NotWritten(Exception):
    """The answer is still the stub of the exercise."""


@dataclass(frozen=True)
class Verdict:
    """What a check says: `state` is "right", "wrong", "not written" or "example"; `credit` in [0, 1].

    "example" is a right answer to numbers that belong to the example id: nobody's work, no credit.
    """

    name: str
    state: str
    sentence: str
    credit: float


def check(name: str, answer, *, student: str | None = None) -> int | None:
    """Check `answer` against the task `name`, such as "ex01.greedy_token", and print one line.

    `student` is needed by tasks whose numbers come from the student's id.
    A stub prints "not written yet" and returns 0, the number nbgrader reads as the points of the cell;
    so does a right answer under the example id, with a word about it. Any other right answer returns None.
    Errors: `CheckFailed` with one sentence if the answer is wrong; `ValueError` for an unknown name;
    `TypeError` if `student` is missing or not wanted.
    """
    verdict = judge(name, answer, student=student)
    if verdict.state == "wrong":
        raise CheckFailed(verdict.sentence, verdict.credit)
    if verdict.state == "not written":
        print(f"{name}: not written yet")
        return 0
    print(f"right: {verdict.sentence}")
    return 0 if verdict.state == "example" else None


def judge(name: str, answer, *, student: str | None = None) -> Verdict:
    """Like `check`, but a wrong answer is a `Verdict` and not an exception."""
    function = find(name)
    wanted = "student" in inspect.signature(function).parameters
    if wanted and student is None:
        raise TypeError(f"{name} takes its numbers from your id: call it with student=STUDENT")
    if student is not None and not wanted:
        raise TypeError(f"{name} takes no student, got student={student!r}")
    if answer is None:
        return Verdict(name, "not written", "not written yet", 0.0)
    try:
        sentence = function(answer, student=student) if wanted else function(answer)
    except NotWritten:
        return Verdict(name, "not written", "not written yet", 0.0)
    except CheckFailed as failure:
        return Verdict(name, "wrong", str(failure), failure.credit)
    if student is not None and is_example(student):
        remark = f"but {EXAMPLE_ID!r} is the example id and earns no points: put your own into STUDENT"
        return Verdict(name, "example", f"{sentence}, {remark}", 0.0)
    return Verdict(name, "right", sentence, 1.0)


def find(name: str) -> Callable:
    """The function behind a name like "ex01.greedy_token": an import, not a registry.

    Errors: `ValueError` if the name has another form, or there is no such set or task.
    """
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise ValueError(f"name must look like 'ex01.greedy_token', got {name!r}")
    module_name = f"{__package__}.{match[1]}"
    if importlib.util.find_spec(module_name) is None:
        raise ValueError(f"name = {name!r}: there is no set {match[1]!r}")
    module = importlib.import_module(module_name)
    if match[2] not in module.__all__:
        tasks = ", ".join(module.__all__)
        raise ValueError(f"name = {name!r}: set {match[1]} has no check {match[2]!r}; it has {tasks}")
    return getattr(module, match[2])
