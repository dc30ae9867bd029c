"""Counts how many candidates beat the text at each step."""

import numpy as np


def steps_survived(lm, text, width, *, end):
    live, finished, mine = [((), 0.0)], [], 0.0
    for t, token in enumerate(text):
        mine += np.log(lm.next_probs(text[:t])[token])
        made = [((*p, v), s + np.log(c)) for p, s in live for v, c in enumerate(lm.next_probs(p)) if c > 0]
        every = sorted(finished + made, key=lambda pair: (-pair[1], pair[0]))
        ahead = sum((-s, p) < (-mine, text[: t + 1]) for p, s in every if p != text[: t + 1])
        if ahead >= width:
            return t
        finished = [pair for pair in every[:width] if pair[0][-1] == end]
        live = [pair for pair in every[:width] if pair[0][-1] != end]
    return len(text)
