"""The mass that is too much, in float32; a small letter."""

import numpy as np
from decodelab import exact
from decodelab.grading.ex06 import your_boxes

STUDENT = "ada"
boxes = your_boxes(STUDENT)
off = {}
for letter, box in zip("abc", boxes[1:], strict=True):
    law = exact.law(box)
    off[letter] = sum(max(m - boxes.target[()][a] * boxes.target[a,][b], 0) for (a, b), m in law.items())
broken = max(off, key=off.get), np.float32(max(off.values()))
