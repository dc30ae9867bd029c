"""Finished hypotheses keep places of their own (known fault B41)."""

import math

NAMED = "a finished hypothesis has no place of its own"


def beam_step(lm, hypotheses, width, *, end):
    candidates = []
    for tokens, score in hypotheses:
        if tokens[-1:] == (end,):
            candidates.append((tokens, score))
            continue
        for token, chance in enumerate(lm.next_probs(tokens)):
            if chance > 0:
                candidates.append(((*tokens, token), score + math.log(chance)))
    done = [pair for pair in candidates if pair[0] in [h[0] for h in hypotheses]]
    live = [pair for pair in candidates if pair not in done]
    live.sort(key=lambda pair: (-pair[1], pair[0]))
    return sorted(done + live[: max(width - len(done), 0)], key=lambda pair: (-pair[1], pair[0]))
