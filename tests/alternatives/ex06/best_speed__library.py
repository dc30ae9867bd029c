"""The library's functions."""

from decodelab import speculative
from decodelab.grading.ex06 import your_draft

STUDENT = "ada"
draft = your_draft(STUDENT)
best = speculative.best_gamma(draft.alpha, draft.c, v=lambda gamma: 1 + draft.w * gamma)
best_speed = speculative.speedup(draft.alpha, best, draft.c, v=1 + draft.w * best)
