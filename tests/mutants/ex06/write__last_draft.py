"""A draft that comes last is taken for the target's token."""

NAMED = "a block that is cut ends in a draft, which counts"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        kept = kept[: max_tokens - len(text)]
        accepted += len(kept) - 1
        text += kept
    return text, accepted
