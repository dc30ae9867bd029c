"""A box that is right."""

import numpy as np
from decodelab import exact
from decodelab.grading.ex06 import your_boxes

NAMED = "is not right"

STUDENT = "ada"
boxes = your_boxes(STUDENT)
texts = [(a, b) for a in range(3) for b in range(3)]
right = np.array([boxes.target[()][a] * boxes.target[a,][b] for a, b in texts])
laws = {}
for name in "ABC":
    masses = exact.law(getattr(boxes, name))
    laws[name] = np.array([masses.get(text, 0.0) for text in texts])
gaps = {name: np.abs(law - right) for name, law in laws.items()}
worst = max(gaps, key=lambda name: gaps[name].sum())
broken = min(gaps, key=lambda name: gaps[name].sum()), 0.01
