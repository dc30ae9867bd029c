"""The scenes alone."""

from decodelab import city
from decodelab.grading.ex01 import your_city

NAMED = "those are the scenes alone"

STUDENT = "ada"
CITY, TYPES = your_city(STUDENT)
mention = sum(s.prob for s in city.sentences() if s.city == CITY and s.type == "scene")
