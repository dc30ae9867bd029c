"""The exact law of a sampler, and its largest mass."""

import numpy as np
import torch
from decodelab import exact
from decodelab.sampling import ancestral


def most_probable(lm, *, end, max_tokens):
    law = exact.sentence_law(ancestral(lm), end=end, max_tokens=max_tokens)
    best = min(law.probs, key=lambda sentence: (-law.probs[sentence], sentence))
    return np.array(best), torch.tensor(law.probs[best], dtype=torch.float32).log()
