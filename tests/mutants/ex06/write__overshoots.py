"""The budget is looked at between rounds (known fault B63)."""

NAMED = "the budget ends inside a block too"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        accepted += min(len(kept), len(block) - 1)
        text += kept
    return text, accepted
