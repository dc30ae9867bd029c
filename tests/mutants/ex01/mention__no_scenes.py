"""The scenes are left out: the city is not their first word."""

from decodelab import city
from decodelab.grading.ex01 import your_city

NAMED = "leaves out the scenes"

STUDENT = "ada"
CITY, TYPES = your_city(STUDENT)
mention = sum(s.prob for s in city.sentences() if s.text.startswith(CITY))
