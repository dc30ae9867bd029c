"""With the library's searches."""

from decodelab import beam
from decodelab.grading.ex02 import your_model

STUDENT = "grace"
_lm = your_model(STUDENT)
_found = beam.beam_search(_lm, 2, end=0, max_tokens=4).best
search_error = beam.best_first(_lm, end=0, max_tokens=4)[0].score - _found.score
