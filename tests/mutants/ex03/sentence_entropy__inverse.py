"""At 1/T."""

import math

from decodelab import city, dists, exact, models
from decodelab.grading.ex03 import your_temperature

NAMED = "that is the language at T = 1/"

STUDENT = "ada"
T = your_temperature(STUDENT)
_rows = models.tabulate(city.oracle(), city.prefixes())
_masses = exact.table_law(models.map_rows(_rows, lambda p: dists.temperature(p, 1 / T))).probs
sentence_entropy = -sum(m * math.log(m) for m in _masses.values())
