"""Tokens of probability 0 stay, with a score of -inf (known fault B38)."""

import math

NAMED = "has probability 0 after"


def beam_step(lm, hypotheses, width, *, end):
    candidates = []
    for tokens, score in hypotheses:
        if tokens[-1:] == (end,):
            candidates.append((tokens, score))
            continue
        for token, chance in enumerate(lm.next_probs(tokens)):
            candidates.append(((*tokens, token), score + (math.log(chance) if chance > 0 else -math.inf)))
    return sorted(candidates, key=lambda pair: (-pair[1], pair[0]))[:width]
