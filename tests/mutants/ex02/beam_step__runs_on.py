"""Decodes past the end token."""

import math

NAMED = "goes on after the end token"


def beam_step(lm, hypotheses, width, *, end):
    candidates = []
    for tokens, score in hypotheses:
        if False:
            candidates.append((tokens, score))
            continue
        for token, chance in enumerate(lm.next_probs(tokens)):
            if chance > 0:
                candidates.append(((*tokens, token), score + math.log(chance)))
    return sorted(candidates, key=lambda pair: (-pair[1], pair[0]))[:width]
