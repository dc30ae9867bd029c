"""Lists of thresholds and rows, drawn by inverse CDF; a list back."""


def block_verify(p, q, tokens, *, rng):
    a = [1.0]
    for x, p_row, q_row in zip(tokens, p.tolist(), q.tolist(), strict=False):
        a.append(min(1.0, a[-1] * p_row[x] / q_row[x]))
    rest = [
        [max(a_i * x - y, 0.0) for x, y in zip(*rows, strict=True)]
        for a_i, *rows in zip(a, p.tolist(), q.tolist(), strict=False)
    ]
    rest.append(p[-1].tolist())
    kept = len(tokens)
    while kept > 0:
        total = sum(rest[kept])
        h = a[-1] if kept == len(tokens) else total / (total + (1 - a[kept])) if total else 0.0
        if rng.uniform() < h:
            break
        kept -= 1
    u, below, total = rng.uniform(), 0.0, sum(rest[kept])
    for token, mass in enumerate(rest[kept]):
        below += mass / total
        if u < below:
            return [kept, token]
    return [kept, rest[kept].index(max(rest[kept]))]
