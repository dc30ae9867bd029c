"""The rule is run through all its draws."""

from decodelab import exact


def top_k_law(p, q, k):
    def token(*, rng):
        x = rng.categorical(q)
        before = sum(p[y] > p[x] or (p[y] == p[x] and y < x) for y in range(len(p)))
        return x if before < k else rng.categorical(p)

    return exact.law(token)
