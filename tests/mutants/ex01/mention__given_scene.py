"""Given a scene."""

from decodelab import city
from decodelab.grading.ex01 import your_city

NAMED = "that is the share of the city among the scenes"

STUDENT = "ada"
CITY, TYPES = your_city(STUDENT)
_scenes = [s for s in city.sentences() if s.type == "scene"]
mention = sum(s.prob for s in _scenes if s.city == CITY) / sum(s.prob for s in _scenes)
