"""In percent."""

from decodelab import city, dists, exact, models
from decodelab.grading.ex03 import your_temperature

NAMED = "that is in percent"

STUDENT = "ada"
T = your_temperature(STUDENT)
_rows = models.tabulate(city.oracle(), city.prefixes())
_masses = exact.table_law(models.map_rows(_rows, lambda p: dists.temperature(p, T))).probs
scene_share = 100 * sum(_masses[s.tokens] for s in city.sentences() if s.type == "scene")
