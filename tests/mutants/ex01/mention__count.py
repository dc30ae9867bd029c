"""The share of the sentences, as if all were equal."""

from decodelab import city
from decodelab.grading.ex01 import your_city

NAMED = "counts sentences and not their probabilities"

STUDENT = "ada"
CITY, TYPES = your_city(STUDENT)
mention = sum(s.city == CITY for s in city.sentences()) / len(city.sentences())
