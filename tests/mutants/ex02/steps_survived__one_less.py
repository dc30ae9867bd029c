"""The beam before the first step is left out."""

from decodelab import beam

NAMED = "too little"


def steps_survived(lm, text, width, *, end):
    beams = beam.beam_search(lm, width, end=end, max_tokens=len(text)).beams
    for t in range(len(text)):
        if text[: t + 1] not in [h.tokens for h in beams[t]]:
            return t - 1
    return len(text)
