"""With the library's own sampler."""

from decodelab.sampling import ancestral
from decodelab.speculative import write


def sample_sentence(lm, *, end, max_tokens, rng):
    return write(ancestral(lm), end=end, max_tokens=max_tokens, rng=rng)
