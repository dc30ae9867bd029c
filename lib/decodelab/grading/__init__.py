"""Checks for the exercises, and the grader for a folder of them.

In a notebook: `check("ex01.greedy_token", greedy_token)` says at once whether an answer is right, and
if not, what is wrong. On the command line: `python -m decodelab.grading FOLDER` grades a class.
Safe against accidents and casual tampering; it is not a sandbox for hostile code.
"""

from decodelab.grading.answers import CheckFailed, check
from decodelab.grading.student import student_number

__all__ = ["CheckFailed", "check", "student_number"]
