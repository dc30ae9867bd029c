"""The length."""

from decodelab.grading.ex06 import your_draft

NAMED = "that is the length, not the speed-up"

STUDENT = "ada"
alpha, c, w = your_draft(STUDENT)
best_speed = max(range(200), key=lambda g: sum(alpha**i for i in range(g + 1)) / (g * c + 1 + w * g))
