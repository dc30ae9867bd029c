"""All uniforms are drawn before the first is used; recursion."""

import numpy as np


def sample_sentence(lm, *, end, max_tokens, rng):
    def grow(prefix, noise):
        if not noise or prefix[-1:] == (end,):
            return prefix
        token = int((np.cumsum(lm.next_probs(prefix))[:-1] <= noise[0]).sum())
        return grow((*prefix, token), noise[1:])

    return grow((), list(rng.uniform(max_tokens)))
