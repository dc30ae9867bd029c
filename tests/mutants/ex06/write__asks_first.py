"""A round is asked for before the budget is looked at (known fault B65)."""

NAMED = "you ask for 1 round, 0 are needed"


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted = (), 0
    if max_tokens == 0:
        round(prefix, rng=rng)
    while len(text) < max_tokens and text[-1:] != (end,):
        block = round(prefix + text, rng=rng)
        kept = block[: block.index(end) + 1] if end in block else block
        kept = kept[: max_tokens - len(text)]
        accepted += min(len(kept), len(block) - 1)
        text += kept
    return text, accepted
