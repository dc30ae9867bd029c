"""Compares last tokens alone."""

from decodelab import beam

NAMED = "only their last tokens"


def steps_survived(lm, text, width, *, end):
    beams = beam.beam_search(lm, width, end=end, max_tokens=len(text)).beams
    for t in range(len(text)):
        if text[t] not in [h.tokens[-1] for h in beams[t]]:
            return t
    return len(text)
