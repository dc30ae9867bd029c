"""Gumbel-max: cannot be enumerated, a chi-square test decides."""

import numpy as np

SAMPLED = True


def sample_sentence(lm, *, end, max_tokens, rng):
    sentence = []
    while len(sentence) < max_tokens and end not in sentence:
        with np.errstate(divide="ignore"):
            scores = np.log(lm.next_probs(sentence)) - np.log(-np.log(rng.uniform(lm.vocab_size)))
        sentence.append(np.argmax(scores))
    return np.array(sentence)
