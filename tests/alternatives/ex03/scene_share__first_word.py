"""A scene is a sentence that starts with "the"."""

from decodelab import city
from decodelab.grading.ex03 import your_temperature

STUDENT = "grace"
T = your_temperature(STUDENT)
_row = city.oracle().next_probs(()) ** (1 / T)
scene_share = _row[city.encode("the")[0]] / _row.sum()
