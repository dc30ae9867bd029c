"""An exponential race in torch."""

import numpy as np
import torch

SAMPLED = True


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = []
    while len(sentence) < max_tokens and end not in sentence:
        u = torch.tensor(np.asarray(rng.uniform(lm.vocab_size)))
        times = -torch.log1p(-u) / torch.tensor(lm.next_probs(sentence))
        sentence.append(int(times.argmin()))
    return torch.tensor(sentence, dtype=torch.int32)
