"""The end token is cut off."""

NAMED = "the end token is part of the text"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        kept = kept[: max_tokens - len(text)]
        accepted += min(len(kept), len(block) - 1)
        text += kept
    return tuple(t for t in text if t != end), accepted
