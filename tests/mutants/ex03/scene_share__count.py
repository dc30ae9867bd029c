"""Counted."""

from decodelab import city
from decodelab.grading.ex03 import your_temperature

NAMED = "that is the share of the sentences"

STUDENT = "ada"
T = your_temperature(STUDENT)
scene_share = sum(s.type == "scene" for s in city.sentences()) / len(city.sentences())
