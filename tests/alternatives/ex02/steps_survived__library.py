"""The library's search and its beams."""

from decodelab import beam


def steps_survived(lm, text, width, *, end):
    beams = beam.beam_search(lm, width, end=end, max_tokens=len(text)).beams
    return sum(any(h.tokens == text[:t] for h in kept) for t, kept in enumerate(beams, start=1))
