"""Appends to the list it was given."""

import math

NAMED = "changes the beam it was given"


def beam_step(lm, hypotheses, width, *, end):
    candidates, hypotheses[:] = [], [*hypotheses, *hypotheses][: len(hypotheses)]
    hypotheses.append(hypotheses[0])
    hypotheses.pop(0)
    for tokens, score in hypotheses:
        if tokens[-1:] == (end,):
            candidates.append((tokens, score))
            continue
        for token, chance in enumerate(lm.next_probs(tokens)):
            if chance > 0:
                candidates.append(((*tokens, token), score + math.log(chance)))
    return sorted(candidates, key=lambda pair: (-pair[1], pair[0]))[:width]
