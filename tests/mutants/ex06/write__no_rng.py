"""Each round gets a source of its own."""

NAMED = "your function draws nothing from rng"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    from decodelab.rng import NumpyRng

    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=NumpyRng(len(text)))
        kept = block[: block.index(end) + 1] if end in block else block
        kept = kept[: max_tokens - len(text)]
        accepted += min(len(kept), len(block) - 1)
        text += kept
    return text, accepted
