"""A block that crosses the budget is left out."""

NAMED = "a block that crosses the budget is cut, not left out"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        if len(text) + len(kept) > max_tokens:
            break
        accepted += min(len(kept), len(block) - 1)
        text += kept
    return text, accepted
