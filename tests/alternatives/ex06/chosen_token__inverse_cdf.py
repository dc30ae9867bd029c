"""One uniform for both: x has the first slice, the others follow."""


def chosen_token(p, x, *, rng):
    u, below = rng.uniform(), p[x]
    if u < below:
        return x, True
    others = [token for token in range(len(p)) if token != x and p[token] > 0]
    for token in others[:-1]:
        below = below + p[token]
        if u < below:
            return token, False
    return others[-1], False
