"""The length that is best where verification costs 1."""

from decodelab.grading.ex06 import your_draft

NAMED = "that is at the length which is best where every verification costs 1"

STUDENT = "ada"
alpha, c, w = your_draft(STUDENT)
best = max(range(200), key=lambda g: sum(alpha**i for i in range(g + 1)) / (g * c + 1))
best_speed = sum(alpha**i for i in range(best + 1)) / (best * c + 1 + w * best)
