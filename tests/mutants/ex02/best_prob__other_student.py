"""The model of another id."""

from decodelab import beam
from decodelab.grading.ex02 import your_model

NAMED = "for the best text you give"

STUDENT = "ada"
best_prob = 2.718 ** beam.exhaustive(your_model("grace"), end=0, max_tokens=4)[0].score
