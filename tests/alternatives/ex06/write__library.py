"""The library's loop."""

from decodelab.speculative import decode
from decodelab.tree import Step


def write(round, prefix, *, end, max_tokens, rng):
    def step(before, *, rng):
        block = round(before, rng=rng)
        return Step(block, accepted=len(block) - 1)

    steps = list(decode(step, prefix, end=end, max_tokens=max_tokens, rng=rng))
    return [t for s in steps for t in s.tokens], sum(s.accepted for s in steps)
