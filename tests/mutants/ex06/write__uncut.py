"""Blocks are never cut."""

NAMED = "blocks are cut, after the end token and at the budget"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block
        accepted += min(len(kept), len(block) - 1)
        text += kept
    return text, accepted
