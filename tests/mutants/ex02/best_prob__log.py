"""The log-probability."""

from decodelab import beam
from decodelab.grading.ex02 import your_model

NAMED = "that is the log-probability"

STUDENT = "ada"
best_prob = beam.exhaustive(your_model(STUDENT), end=0, max_tokens=4)[0].score
