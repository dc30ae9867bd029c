"""A numpy array of one entry, from the words."""

import numpy as np
from decodelab import city
from decodelab.grading.ex01 import your_city

STUDENT = "Grace "
CITY, TYPES = your_city(STUDENT)
mention = np.array([sum(float(s.prob) for s in city.sentences() if CITY in s.text.split())])
