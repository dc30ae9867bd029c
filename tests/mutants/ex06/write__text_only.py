"""The text without a count."""

NAMED = "return (tokens, accepted), a tuple and a number"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        kept = kept[: max_tokens - len(text)]
        accepted += min(len(kept), len(block) - 1)
        text += kept
    return text
