"""Page 00's function."""

import numpy as np
from decodelab import exact, explorers
from decodelab.grading.ex06 import your_boxes

STUDENT = "ada"
boxes = your_boxes(STUDENT)
texts = [(a, b) for a in range(3) for b in range(3)]
right = np.array([boxes.target[()][a] * boxes.target[a,][b] for a, b in texts])
laws = [np.array([exact.law(box)[text] for text in texts]) for box in boxes[1:]]
law = max(laws, key=lambda row: np.abs(row - right).sum())
samples = explorers.samples_needed(law, right, 1e-6)
