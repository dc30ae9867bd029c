"""Every draft in turn; a list."""


def law_if_recorded(p, drawn, recorded):
    size = len(p)
    rest = [max(p[x] - recorded[x], 0) for x in range(size)]
    rest = [r / sum(rest) for r in rest] if sum(rest) else list(p)
    law = [0.0] * size
    for x in range(size):
        if drawn[x] == 0:
            continue
        keep = min(1, p[x] / recorded[x])
        law[x] += drawn[x] * keep
        law = [have + drawn[x] * (1 - keep) * r for have, r in zip(law, rest, strict=True)]
    return law
