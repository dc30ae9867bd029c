"""The score is that of the last token (known fault B42)."""

import math

NAMED = "from "


def beam_step(lm, hypotheses, width, *, end):
    candidates = []
    for tokens, score in hypotheses:
        if tokens[-1:] == (end,):
            candidates.append((tokens, score))
            continue
        for token, chance in enumerate(lm.next_probs(tokens)):
            if chance > 0:
                candidates.append(((*tokens, token), math.log(chance)))
    return sorted(candidates, key=lambda pair: (-pair[1], pair[0]))[:width]
