"""The target's own tokens count (known fault B60)."""

NAMED = "accepted: you give 5: the last token of a block is the target's own"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        kept = kept[: max_tokens - len(text)]
        accepted += len(kept)
        text += kept
    return text, accepted
