"""The width (known fault B108)."""

from decodelab.grading.ex05 import your_model

NAMED = "that takes the width"

STUDENT = "ada"
m = your_model(STUDENT)
cache_gib = 2 * m.layers * m.width * m.value_bytes * m.tokens * m.texts / 2**30
