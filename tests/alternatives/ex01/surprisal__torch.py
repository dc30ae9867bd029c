"""A single-precision torch scalar."""

import torch
from decodelab import city
from decodelab.grading.ex01 import your_city

STUDENT = "linus"
CITY, TYPES = your_city(STUDENT)
_probs = torch.tensor([float(s.prob) for s in city.sentences() if s.type in TYPES])
_mine = torch.tensor([s.city == CITY for s in city.sentences() if s.type in TYPES])
surprisal = -torch.log(_probs[_mine].sum() / _probs.sum())
