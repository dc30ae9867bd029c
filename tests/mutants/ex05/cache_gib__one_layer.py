"""One layer."""

from decodelab.grading.ex05 import your_model

NAMED = "that is one layer"

STUDENT = "ada"
m = your_model(STUDENT)
cache_gib = 2 * m.kv_heads * m.head_dim * m.value_bytes * m.tokens * m.texts / 2**30
