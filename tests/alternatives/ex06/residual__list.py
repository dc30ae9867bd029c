"""A list, token by token."""


def residual(p, q):
    excess = [max(a - b, 0.0) for a, b in zip(p, q, strict=True)]
    total = sum(excess)
    return [x / total for x in excess] if total else list(p)
