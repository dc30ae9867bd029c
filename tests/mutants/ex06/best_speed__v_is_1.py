"""Verification is taken to cost 1."""

from decodelab.grading.ex06 import your_draft

NAMED = "that takes every verification to cost 1"

STUDENT = "ada"
alpha, c, w = your_draft(STUDENT)
best_speed = max(sum(alpha**i for i in range(g + 1)) / (g * c + 1) for g in range(200))
