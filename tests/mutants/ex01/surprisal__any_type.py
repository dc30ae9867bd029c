"""Not given the types."""

import math

from decodelab import city
from decodelab.grading.ex01 import your_city

NAMED = "that is not given the types"

STUDENT = "ada"
CITY, TYPES = your_city(STUDENT)
surprisal = -math.log(sum(s.prob for s in city.sentences() if s.city == CITY))
