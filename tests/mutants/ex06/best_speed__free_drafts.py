"""Drafts for nothing."""

from decodelab.grading.ex06 import your_draft

NAMED = "you do not pay for the drafts"

STUDENT = "ada"
alpha, c, w = your_draft(STUDENT)
best_speed = max(sum(alpha**i for i in range(g + 1)) / (1 + w * g) for g in range(200))
