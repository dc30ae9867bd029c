"""In bits."""

import math

from decodelab import city, dists, exact, models
from decodelab.grading.ex03 import your_temperature

NAMED = "that is in bits"

STUDENT = "ada"
T = your_temperature(STUDENT)
_rows = models.tabulate(city.oracle(), city.prefixes())
_masses = exact.table_law(models.map_rows(_rows, lambda p: dists.temperature(p, T))).probs
sentence_entropy = -sum(m * math.log2(m) for m in _masses.values())
