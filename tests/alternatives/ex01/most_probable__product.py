"""All tuples of every length, probabilities multiplied."""

from itertools import product

import numpy as np


def most_probable(lm, *, end, max_tokens):
    best, best_mass = None, -1.0
    tuples = (s for n in range(1, max_tokens + 1) for s in product(range(lm.vocab_size), repeat=n))
    for sentence in sorted(s for s in tuples if s.count(end) == 1 and s[-1] == end):
        mass = np.prod([lm.next_probs(sentence[:t])[x] for t, x in enumerate(sentence)])
        if mass > best_mass:
            best, best_mass = sentence, mass
    return best, np.log(best_mass)
