"""What the beam finds."""

from math import exp

from decodelab import beam
from decodelab.grading.ex02 import your_model

NAMED = "that is what a beam of width 2 finds"

STUDENT = "ada"
best_prob = exp(beam.beam_search(your_model(STUDENT), 2, end=0, max_tokens=4).best.score)
