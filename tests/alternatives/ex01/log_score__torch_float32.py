"""In torch and single precision, a tensor of one entry back."""

import torch


def log_score(lm, sentence):
    total = torch.zeros(1)
    for t, token in enumerate(sentence):
        row = torch.tensor(lm.next_probs(torch.tensor(sentence[:t], dtype=torch.long)))
        total += row[token].log()
    return total
