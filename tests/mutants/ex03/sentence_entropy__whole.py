"""Sentences are cooled as a whole."""

import math

from decodelab import city
from decodelab.grading.ex03 import your_temperature

NAMED = "cools the law of sentences as a whole"

STUDENT = "ada"
T = your_temperature(STUDENT)
_masses = {s.tokens: float(s.prob) ** (1 / T) for s in city.sentences()}
_total = sum(_masses.values())
_masses = {tokens: mass / _total for tokens, mass in _masses.items()}
sentence_entropy = -sum(m * math.log(m) for m in _masses.values())
