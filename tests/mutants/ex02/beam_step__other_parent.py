"""Scores of another parent: the list was sorted meanwhile (known fault B42)."""

import math

NAMED = "for the log_prob of"


def beam_step(lm, hypotheses, width, *, end):
    candidates = []
    for tokens, score in hypotheses:
        if tokens[-1:] == (end,):
            candidates.append((tokens, score))
            continue
        for token, chance in enumerate(lm.next_probs(tokens)):
            if chance > 0:
                candidates.append(((*tokens, token), score + math.log(chance)))
    kept = sorted(candidates, key=lambda pair: (-pair[1], pair[0]))[:width]
    scores = dict(hypotheses)
    first = hypotheses[0][1]
    return [(t, s - scores.get(t[:-1], first) + first) for t, s in kept]
