"""The ratio of the probabilities."""

import math

from decodelab import beam
from decodelab.grading.ex02 import your_model

NAMED = "that is the ratio of the probabilities"

STUDENT = "ada"
_lm = your_model(STUDENT)
_best = beam.exhaustive(_lm, end=0, max_tokens=4)[0].score
_found = beam.beam_search(_lm, 2, end=0, max_tokens=4).best.score
search_error = math.exp(_best - _found)
