"""In bits."""

import math

from decodelab import beam
from decodelab.grading.ex02 import your_model

NAMED = "that is in bits"

STUDENT = "ada"
_lm = your_model(STUDENT)
_best = beam.exhaustive(_lm, end=0, max_tokens=4)[0].score
_found = beam.beam_search(_lm, 2, end=0, max_tokens=4).best.score
search_error = (_best - _found) / math.log(2)
