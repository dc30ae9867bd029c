"""A beam wider by one."""

from decodelab import beam

NAMED = "the beam is one too wide"


def steps_survived(lm, text, width, *, end):
    beams = beam.beam_search(lm, width + 1, end=end, max_tokens=len(text)).beams
    for t in range(len(text)):
        if text[: t + 1] not in [h.tokens for h in beams[t]]:
            return t
    return len(text)
