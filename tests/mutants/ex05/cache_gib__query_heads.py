"""Query heads (known fault B108)."""

from decodelab.grading.ex05 import your_model

NAMED = "that counts the query heads"

STUDENT = "ada"
m = your_model(STUDENT)
cache_gib = 2 * m.layers * m.heads * m.head_dim * m.value_bytes * m.tokens * m.texts / 2**30
