"""Each draft is tested before the next is drawn."""

import numpy as np


def chain_round(target, draft, prefix, gamma, *, rng):
    text = list(prefix)
    for _ in range(gamma):
        p, q = target.next_probs(text), draft.next_probs(text)
        x = rng.categorical(q)
        if not rng.bernoulli(min(1, p[x] / q[x])):
            rest = np.maximum(p - q, 0)
            text.append(rng.categorical(rest / rest.sum()))
            return text[len(prefix) :]
        text.append(x)
    return [*text[len(prefix) :], rng.categorical(target.next_probs(text))]
