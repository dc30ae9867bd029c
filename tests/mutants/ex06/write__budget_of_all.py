"""The prefix counts against the budget."""

NAMED = "the budget counts new tokens, not the prefix"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(prefix) + len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        kept = kept[: max_tokens - len(prefix) - len(text)]
        accepted += min(len(kept), len(block) - 1)
        text += kept
    return text, accepted
