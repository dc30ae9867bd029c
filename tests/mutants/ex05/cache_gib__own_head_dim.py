"""head_dim = width / heads."""

from decodelab.grading.ex05 import your_model

NAMED = "head_dim is a size of its own"

STUDENT = "ada"
m = your_model(STUDENT)
cache_gib = 2 * m.layers * m.kv_heads * m.width / m.heads * m.value_bytes * m.tokens * m.texts / 2**30
