"""The target's own token is forgotten."""

from decodelab.grading.ex06 import your_draft

NAMED = "that leaves out the token that the target adds"

STUDENT = "ada"
alpha, c, w = your_draft(STUDENT)
best_speed = max(sum(alpha**i for i in range(1, g + 1)) / (g * c + 1 + w * g) for g in range(200))
