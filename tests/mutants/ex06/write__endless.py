"""Nothing stops it."""

NAMED = "your function raises RuntimeError: 40 rounds, and no end"


def write(round, prefix, *, end, max_tokens, rng):
    text = ()
    while True:
        text += round(prefix + text, rng=rng)
