"""Asks the model about finished texts too, a wasted call."""

import math

NAMED = "but that is finished"


def beam_step(lm, hypotheses, width, *, end):
    candidates = []
    for tokens, score in hypotheses:
        row = lm.next_probs(tokens)
        if tokens[-1:] == (end,):
            candidates.append((tokens, score))
            continue
        for token, chance in enumerate(row):
            if chance > 0:
                candidates.append(((*tokens, token), score + math.log(chance)))
    return sorted(candidates, key=lambda pair: (-pair[1], pair[0]))[:width]
