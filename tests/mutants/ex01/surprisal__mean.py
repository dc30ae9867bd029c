"""The two types count half each."""

import math

from decodelab import city
from decodelab.grading.ex01 import your_city

NAMED = "half each"

STUDENT = "ada"
CITY, TYPES = your_city(STUDENT)
_shares = []
for kind in TYPES:
    _typed = [s for s in city.sentences() if s.type == kind]
    _shares.append(sum(s.prob for s in _typed if s.city == CITY) / sum(s.prob for s in _typed))
surprisal = -math.log(sum(_shares) / 2)
