"""One step of the library's own search, from each hypothesis."""

from decodelab import beam


def beam_step(lm, hypotheses, width, *, end):
    found = []
    for tokens, score in hypotheses:
        if tokens[-1:] == (end,):
            found.append((tokens, score))
            continue
        step = beam.beam_search(lm, width, end=end, max_tokens=1, prefix=tokens)
        found += [((*tokens, *h.tokens), score + h.score) for h in step.hypotheses]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:width]
