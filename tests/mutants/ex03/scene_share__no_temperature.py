"""The language as it is."""

from decodelab import city
from decodelab.grading.ex03 import your_temperature

NAMED = "that is the language at T = 1"

STUDENT = "ada"
T = your_temperature(STUDENT)
_masses = {s.tokens: float(s.prob) for s in city.sentences()}
scene_share = sum(_masses[s.tokens] for s in city.sentences() if s.type == "scene")
