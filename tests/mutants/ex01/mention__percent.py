"""In percent."""

from decodelab import city
from decodelab.grading.ex01 import your_city

NAMED = "that is in percent"

STUDENT = "ada"
CITY, TYPES = your_city(STUDENT)
mention = 100 * sum(s.prob for s in city.sentences() if s.city == CITY)
