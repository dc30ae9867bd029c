"""A dict from token to mass."""


def residual(p, q):
    excess = {x: a - b for x, (a, b) in enumerate(zip(p, q, strict=True)) if a > b}
    total = sum(excess.values())
    return {x: e / total for x, e in excess.items()} if excess else dict(enumerate(p))
