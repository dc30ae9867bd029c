"""The inverse of the cumulative sum; a list back."""

import numpy as np


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = []
    for _ in range(max_tokens):
        cdf, u = np.cumsum(lm.next_probs(sentence)), rng.uniform()
        token = next((i for i, edge in enumerate(cdf) if u < edge), len(cdf) - 1)
        sentence.append(token)
        if token == end:
            break
    return sentence
