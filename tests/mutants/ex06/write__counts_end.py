"""An end token counts as a draft wherever it stands."""

NAMED = "an end token that is the last of its block is the target's own"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        kept = kept[: max_tokens - len(text)]
        accepted += len(kept) if end in kept else min(len(kept), len(block) - 1)
        text += kept
    return text, accepted
