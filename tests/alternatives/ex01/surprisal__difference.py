"""The surprisal of both minus that of the type."""

import math

from decodelab import city
from decodelab.grading.ex01 import your_city

STUDENT = "grace"
CITY, TYPES = your_city(STUDENT)
_both = sum(s.prob for s in city.sentences() if s.type in TYPES and s.city == CITY)
surprisal = -math.log(_both) + math.log(sum(s.prob for s in city.sentences() if s.type in TYPES))
