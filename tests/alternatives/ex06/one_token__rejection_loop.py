"""What replaces a draft is proposed from p until it passes: no last trace, sampled."""

SAMPLED = True


def one_token(p, q, *, rng):
    x = rng.categorical(q)
    if rng.uniform() < p[x] / q[x]:
        return x, True
    while True:
        y = rng.categorical(p)
        if rng.uniform() < 1 - q[y] / p[y]:
            return y, False
