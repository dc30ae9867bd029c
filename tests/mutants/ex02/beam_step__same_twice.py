"""All start alike and take the same best token (known fault B37)."""

import math

NAMED = "twice: the hypotheses of a beam are distinct"


def beam_step(lm, hypotheses, width, *, end):
    candidates = []
    for tokens, score in hypotheses:
        if tokens[-1:] == (end,):
            candidates.append((tokens, score))
            continue
        for token, chance in enumerate(lm.next_probs(tokens)):
            if chance > 0:
                candidates.append(((*tokens, token), score + math.log(chance)))
    return sorted(candidates, key=lambda pair: (-pair[1], pair[0]))[:1] * min(width, len(candidates))
