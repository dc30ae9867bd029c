"""Numbers that are a student's own."""

from __future__ import annotations

import hashlib

__all__ = ["EXAMPLE_ID", "is_example", "student_number"]

EXAMPLE_ID = "your-id"  # what an exercise holds before somebody puts an id in


def is_example(student: str) -> bool:
    """Is this the id that stands in the exercise, so that its numbers are nobody's?"""
    return student.strip().casefold() == EXAMPLE_ID


def student_number(student: str, task: str, choices: int) -> int:
    """A number in [0, choices) that depends on the student's id and the task, the same everywhere.

    Case and blanks around the id do not matter. (Python's own `hash` of a string changes with every
    start of the interpreter, so a digest is used.)
    Errors: `ValueError` if `student` is not a text with something in it, or `choices` is below 1.
    """
    if not isinstance(student, str) or not student.strip():
        raise ValueError(f"student must be your id as a text, got {student!r}")
    if choices < 1:
        raise ValueError(f"choices must be at least 1, got {choices!r}")
    text = f"{task}\n{student.strip().casefold()}"
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "big") % choices
