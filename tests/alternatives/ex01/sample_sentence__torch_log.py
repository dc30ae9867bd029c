"""torch's logarithm of one uniform: refused by torch in its own words, so it is sampled."""

import torch

SAMPLED = True


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = ()
    while len(sentence) < max_tokens and sentence[-1:] != (end,):
        u = torch.exp(torch.log(torch.tensor(rng.uniform(), dtype=torch.float64)))
        edges = torch.cumsum(torch.tensor(lm.next_probs(sentence)), 0)
        sentence += (min(int(torch.searchsorted(edges, u, right=True)), lm.vocab_size - 1),)
    return sentence
