"""Time instead of speed."""

from decodelab.grading.ex06 import your_draft

NAMED = "that is the time, not the speed"

STUDENT = "ada"
alpha, c, w = your_draft(STUDENT)
best_speed = min((g * c + 1 + w * g) / sum(alpha**i for i in range(g + 1)) for g in range(200))
