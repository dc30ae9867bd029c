"""An array of lengths, in torch."""

import torch
from decodelab.grading.ex06 import your_draft

STUDENT = "ada"
alpha, c, w = your_draft(STUDENT)
gamma = torch.arange(100, dtype=torch.float64)
best_speed = ((1 - alpha ** (gamma + 1)) / (1 - alpha) / (1 + gamma * (c + w))).max()
