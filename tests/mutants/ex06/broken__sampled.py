"""Frequencies of 5,000 runs."""

import numpy as np
from decodelab import exact
from decodelab.grading.ex06 import your_boxes
from decodelab.rng import NumpyRng

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

rng, counts = NumpyRng(3), {text: 0 for text in texts}
for _ in range(5000):
    counts[getattr(boxes, worst)(rng=rng)] += 1
broken = worst, np.abs(np.array([counts[t] for t in texts]) / 5000 - right).sum() / 2
