"""The power of the test by scipy, halving, a whole number."""

import numpy as np
from decodelab import exact
from decodelab.grading.ex06 import your_boxes
from scipy import stats

STUDENT = "ada"
boxes = your_boxes(STUDENT)
texts = [(a, b) for a in range(3) for b in range(3)]
right = np.array([boxes.target[()][a] * boxes.target[a,][b] for a, b in texts])
laws = [np.array([exact.law(box)[text] for text in texts]) for box in boxes[1:]]
law = max(laws, key=lambda row: np.abs(row - right).sum())

bound, shift = stats.chi2.isf(1e-6, 8), ((law - right) ** 2 / right).sum()
low, high = 1, 10**7
while high - low > 1:
    middle = (low + high) // 2
    found = stats.ncx2.sf(bound, 8, middle * shift) > 0.5
    low, high = (low, middle) if found else (middle, high)
samples = high
