"""A beam of width 1."""

from decodelab import beam

NAMED = "too little"


def steps_survived(lm, text, width, *, end):
    beams = beam.beam_search(lm, 1, end=end, max_tokens=len(text)).beams
    for t in range(len(text)):
        if text[: t + 1] not in [h.tokens for h in beams[t]]:
            return t
    return len(text)
