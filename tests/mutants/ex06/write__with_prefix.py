"""The prefix is handed back too."""

NAMED = "give the new tokens alone"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        kept = kept[: max_tokens - len(text)]
        accepted += min(len(kept), len(block) - 1)
        text += kept
    return prefix + text, accepted
