"""The language as it is."""

import math

from decodelab import city
from decodelab.grading.ex03 import your_temperature

NAMED = "that is the language at T = 1"

STUDENT = "ada"
T = your_temperature(STUDENT)
_masses = {s.tokens: float(s.prob) for s in city.sentences()}
sentence_entropy = -sum(m * math.log(m) for m in _masses.values())
