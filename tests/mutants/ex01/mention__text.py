"""A number as a text."""

from decodelab import city
from decodelab.grading.ex01 import your_city

NAMED = "mention must be a number"

STUDENT = "ada"
CITY, TYPES = your_city(STUDENT)
mention = str(float(sum(s.prob for s in city.sentences() if s.city == CITY)))
