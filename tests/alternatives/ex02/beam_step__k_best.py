"""Only the `width` best continuations of each parent are made; lists instead of tuples."""

import numpy as np


def beam_step(lm, hypotheses, width, *, end):
    candidates = []
    for tokens, score in hypotheses:
        if end in tokens:
            candidates.append([list(tokens), score])
            continue
        row = lm.next_probs(tokens)
        for token in np.argsort(-row, kind="stable")[:width]:
            if row[token] > 0:
                candidates.append([[*tokens, int(token)], score + np.log(row[token])])
    return sorted(candidates, key=lambda pair: (-pair[1], pair[0]))[:width]
