"""The two costs multiplied."""

from decodelab.grading.ex06 import your_draft

NAMED = "that multiplies v with the drafts, it is added"

STUDENT = "ada"
alpha, c, w = your_draft(STUDENT)
best_speed = max(sum(alpha**i for i in range(g + 1)) / ((g * c + 1) * (1 + w * g)) for g in range(200))
