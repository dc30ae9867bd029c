"""The rule is run through all its draws."""

from decodelab import dists, exact


def law_if_recorded(p, drawn, recorded):
    def token(*, rng):
        x = rng.categorical(drawn)
        if rng.uniform() < p[x] / recorded[x]:
            return x
        return rng.categorical(dists.residual(p, recorded))

    return exact.law(token)
