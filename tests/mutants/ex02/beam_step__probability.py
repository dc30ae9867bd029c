"""Products of probabilities in place of sums."""

import math

NAMED = "that is the probability, not its logarithm"


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
    return [(tokens, math.exp(score)) for tokens, score in kept]
