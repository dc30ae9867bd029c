"""The mean of the statistic alone has to reach the bound."""

import numpy as np
from decodelab import exact
from decodelab.grading.ex06 import your_boxes
from scipy import special

NAMED = "the statistic starts at 8 on average, not at 0"

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
shift = ((laws[worst] - right) ** 2 / right).sum()
samples = special.chdtri(8, 1e-6) / shift
