"""One text."""

from decodelab.grading.ex05 import your_model

NAMED = "that is one text"

STUDENT = "ada"
m = your_model(STUDENT)
cache_gib = 2 * m.layers * m.kv_heads * m.head_dim * m.value_bytes * m.tokens / 2**30
