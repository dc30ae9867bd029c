"""Keys alone."""

from decodelab.grading.ex05 import your_model

NAMED = "there are keys and values"

STUDENT = "ada"
m = your_model(STUDENT)
cache_gib = m.layers * m.kv_heads * m.head_dim * m.value_bytes * m.tokens * m.texts / 2**30
