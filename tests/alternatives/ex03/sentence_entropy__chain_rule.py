"""The chain rule: entropies of the rows, weighted by how often a prefix comes up."""

from collections import defaultdict

from decodelab import city, dists
from decodelab.grading.ex03 import your_temperature

STUDENT = "grace"
T = your_temperature(STUDENT)
_mass = defaultdict(float, {(): 1.0})
sentence_entropy = 0.0
for _prefix in city.prefixes():  # shorter before longer
    _row = dists.temperature(city.oracle().next_probs(_prefix), T)
    sentence_entropy += _mass[_prefix] * dists.entropy(_row)
    for _token in _row.nonzero()[0].tolist():
        _mass[*_prefix, _token] += _mass[_prefix] * _row[_token]
