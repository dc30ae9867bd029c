"""The library's function, for values of two bytes."""

import numpy as np
from decodelab import roofline
from decodelab.grading.ex05 import your_model

STUDENT = "ada"
m = your_model(STUDENT)
shape = roofline.ModelShape("m", m.layers, m.width, m.heads, m.kv_heads, m.head_dim, 0, 0, "here")
dtype = {1: "float8", 2: "bfloat16"}[m.value_bytes]
cache_gib = np.float32(roofline.bytes_kv_token(shape, dtype) * m.tokens * m.texts / 1024**3)
