"""The end token is taken to be 0."""

import math

NAMED = "beam"


def beam_step(lm, hypotheses, width, *, end):
    candidates = []
    for tokens, score in hypotheses:
        if tokens[-1:] == (0,):
            candidates.append((tokens, score))
            continue
        for token, chance in enumerate(lm.next_probs(tokens)):
            if chance > 0:
                candidates.append(((*tokens, token), score + math.log(chance)))
    return sorted(candidates, key=lambda pair: (-pair[1], pair[0]))[:width]
