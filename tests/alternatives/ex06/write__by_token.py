"""Token by token, out of a queue; a list for the prefix."""


def write(round, prefix, *, end, max_tokens, rng):
    text, accepted, waiting = [], 0, []
    while len(text) < max_tokens and (not text or text[-1] != end):
        if not waiting:
            block = list(round([*prefix, *text], rng=rng))
            waiting = [(token, i < len(block) - 1) for i, token in enumerate(block)]
        token, drafted = waiting.pop(0)
        text.append(token)
        accepted += drafted
    return text, accepted
